// Answers a judge from outside (Tests/judges/recurrence): for each line of the input
//
//     rule <tab> start <tab> HH:MM <tab> last_day or skip <tab> zone <tab> seconds since 1970 <tab> how many
//
// one line with the instants of the next occurrences, or `! ` and why there are none.

import Domain
import Recurrence
import Time

func answer(_ line: String) -> String {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 7, let start = LocalDate(fields[1]), let time = LocalTime(fields[2]),
        let shortMonths = TaskItem.ShortMonths(rawValue: fields[3]), let after = Int64(fields[5]),
        let limit = Int(fields[6])
    else { return "! not a question" }
    guard let zone = Zone(fields[4]) else { return "! no such zone" }
    switch validRule(fields[0]) {
    case .failure(let refusal): return "! \(refusal)"
    case .success(let rule):
        let schedule = Schedule(rule: rule, start: start, time: time, shortMonths: shortMonths, zone: zone)
        return schedule.next(after: Instant(seconds: after), limit: limit)
            .map { String($0.seconds) }.joined(separator: " ")
    }
}

while let line = readLine() { print(answer(line)) }
