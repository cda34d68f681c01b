import Domain
import Testing
import Time

@Suite("Advice: the hard rules of enrich, section 6")
struct InsightTests {
    let now = at("2026-10-14 12:00")

    func item(_ priority: TaskItem.Priority = .unset, made: String = "2026-09-01 12:00") -> TaskItem {
        var item = TaskItem(
            id: TaskItem.ID(rawValue: 1), owner: owner, project: inbox, title: "Roof", createdAt: at(made))
        item.priority = priority
        return item
    }

    @Test(arguments: [
        (-5, TaskItem.Priority.unset, 0), (0, .unset, 0), (100, .high, 100), (101, .unset, 100),
        (90, .urgent, 25), (25, .urgent, 25), (3, .urgent, 3),
    ])
    func `a score is 0 to 100, of an urgent task at most 25`(
        _ said: Int, _ priority: TaskItem.Priority, _ kept: Int
    ) {
        let insight = checkedInsight(item(priority), score: said, commentary: "", signals: [], now: now)
        #expect(insight.score == kept)
    }

    @Test func `at most two signals, each once, and only known ones`() {
        let insight = checkedInsight(
            item(.high), score: 50, commentary: "",
            signals: ["nonsense", "vague", "vague", "quick_win", "review"], now: now)
        #expect(insight.signals == [.vague, .quickWin])
    }

    @Test func `stale from 21 days on, act soon from High up`() {
        func signals(_ task: TaskItem) -> [InsightSignal] {
            checkedInsight(
                task, score: 1, commentary: "", signals: ["stale", "act_soon"], now: now
            ).signals
        }
        #expect(signals(item(.high, made: "2026-09-23 12:00")) == [.stale, .actSoon])
        #expect(signals(item(.high, made: "2026-09-23 12:01")) == [.actSoon])
        #expect(signals(item(.medium, made: "2026-09-01 12:00")) == [.stale])
    }

    @Test func `a comment is one line of at most 300 characters`() {
        let insight = checkedInsight(
            item(), score: 1, commentary: "  two\nlines \t here ", signals: [], now: now)
        #expect(insight.commentary == "two lines here")
        #expect(oneLine(String(repeating: "x", count: 301)).unicodeScalars.count == 300)
    }

    @Test
    func `what to begin with: over target, due within seven days, or undated; no habits, nothing urgent`() {
        func isCandidate(_ change: (inout TaskItem) -> Void) -> Bool {
            var task = item()
            change(&task)
            return isCandidateForNext(task, now: now, zone: zone())
        }
        #expect(isCandidate { _ in })
        #expect(isCandidate { $0.target = at("2026-10-01 09:00") })
        #expect(isCandidate { $0.target = at("2026-10-21 23:59") })
        #expect(!isCandidate { $0.target = at("2026-10-22 00:00") })
        #expect(!isCandidate { $0.priority = .urgent })
        #expect(
            !isCandidate {
                $0.rrule = "FREQ=DAILY"; $0.target = at("2026-10-14 09:00")
            })
        #expect(
            isCandidate {
                $0.rrule = "FREQ=WEEKLY;BYDAY=WE"; $0.target = at("2026-10-14 09:00")
            })
        #expect(!isCandidate { $0.isReminder = true })
        #expect(!isCandidate { $0.progressTarget = 3 })
        #expect(!isCandidate { $0.deletedAt = now })
    }

    @Test func `every signal has its words`() {
        for signal in InsightSignal.allCases {
            #expect(!signal.label.isEmpty && !signal.icon.isEmpty && !signal.meaning.isEmpty)
            #expect(labelColorNames.contains(signal.color))
        }
        #expect(
            InsightSignal.allCases.map(\.rawValue) == [
                "review", "stale", "act_soon", "quick_win", "vague", "misprioritized",
            ])
    }
}
