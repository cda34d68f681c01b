// X-20, T-13, T-14: times as a person reads them.

public import Time

/// X-20: `3:00 PM`, no leading zero.
public func clockText(_ time: LocalTime) -> String {
    let hour = time.hour % 12 == 0 ? 12 : time.hour % 12
    return "\(hour):\(time.minute < 10 ? "0" : "")\(time.minute) \(time.hour < 12 ? "AM" : "PM")"
}

/// A span as a person says it: `2 h`, `1 h 30 min`, `3 d`, without parts that are 0.
///
/// - Parameter minutes: 0 or more.
public func durationText(minutes: Int) -> String {
    let parts = [(minutes / 1440, "d"), (minutes / 60 % 24, "h"), (minutes % 60, "min")]
    let shown = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return shown.isEmpty ? "0 min" : shown.joined(separator: " ")
}

/// `Mon` … `Sun`, by `LocalDate.weekday`.
let weekdayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/// `Jan 15`.
func dateText(_ date: LocalDate) -> String {
    "\(monthNames[date.month - 1]) \(date.day)"
}

/// X-20: `3:00 PM` today, `tomorrow 9:00 AM`, `Mon 9:00 AM` two to six days ahead, else `Jan 15 9:00 AM`.
public func untilText(_ t: Instant, now: Instant, zone: Zone) -> String {
    let local = zone.local(t)
    let clock = clockText(local.time)
    switch local.date.daysSince1970 - zone.date(now).daysSince1970 {
    case 0: return clock
    case 1: return "tomorrow \(clock)"
    case 2...6: return "\(weekdayNames[local.date.weekday]) \(clock)"
    default: return "\(dateText(local.date)) \(clock)"
    }
}

/// T-13: a target as lists show it.
public struct TargetLabel: Hashable, Sendable {
    /// `Tomorrow`, `Yesterday`, `Sat`, `Oct 28`; nil today.
    public var day: String?
    /// `9:00 AM`.
    public var time: String
    /// Over target and not today: the day stands above the time.
    public var isStacked: Bool

    /// In one line: `Tomorrow 9:00 AM`.
    public var text: String { day.map { "\($0) \(time)" } ?? time }
}

/// T-13.
public func targetLabel(_ t: Instant, now: Instant, zone: Zone) -> TargetLabel {
    let local = zone.local(t)
    let days = local.date.daysSince1970 - zone.date(now).daysSince1970
    let day: String? =
        switch days {
        case 0: nil
        case 1: "Tomorrow"
        case -1: "Yesterday"
        case -6...6: weekdayNames[local.date.weekday]
        default: dateText(local.date)
        }
    return TargetLabel(day: day, time: clockText(local.time), isStacked: t <= now && days != 0)
}

/// T-14: whole local dates between the target's date and today: `3d`; nil below one day.
public func targetAge(_ target: Instant, now: Instant, zone: Zone) -> String? {
    let days = zone.date(now).daysSince1970 - zone.date(target).daysSince1970
    return days >= 1 ? "\(days)d" : nil
}

/// N-4, U-12: at most `limit` code points, the last of them `…` if something was cut.
public func cut(_ text: String, to limit: Int = 200, mark: String = "…") -> String {
    guard text.unicodeScalars.count > limit else { return text }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: text.unicodeScalars.prefix(limit - mark.unicodeScalars.count))
    result.append(contentsOf: mark.unicodeScalars)
    return String(result)
}
