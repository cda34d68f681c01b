import Domain
import JSON
import Testing
import Time

@Suite("S-5 Which button does what")
struct ButtonTests {
    /// A house at 14:20: Low, High and Urgent over target since 13:00, one task at 17:00.
    private struct House {
        let bench: Bench
        let ann: Bench.Person
        let low: Int64
        let high: Int64
        let urgent: Int64
        let ahead: Int64

        init() throws {
            let bench = try Bench()
            let ann = try bench.add()
            bench.at("14:20")
            func make(_ target: String, _ priority: Int64) throws -> Int64 {
                try bench.make("x", ["due_at": .local(target), "priority": .int(priority)], by: ann).id
            }
            (low, high) = (try make("13:00", 1), try make("13:00", 3))
            (urgent, ahead) = (try make("13:00", 4), try make("17:00", 0))
            (self.bench, self.ann) = (bench, ann)
        }

        /// A button of a notification (A78).
        func press(_ body: [String: JSONValue]) throws -> Answer {
            var body = body
            body["token"] = .string(ann.token)
            return try bench.call("POST", "/api/notifications/actions", .object(body))
        }

        /// Where the four are afterwards.
        var targets: [Instant?] {
            get throws { try [low, high, urgent, ahead].map { try bench.item($0).target } }
        }
    }

    private let stay: Instant? = .local("13:00")

    @Test func `S-5: a notification's +1hr moves that task and no other, Urgent too`() throws {
        let house = try House()
        #expect(try house.press(["action": "snooze", "task_id": .int(house.urgent)]).status == 200)
        #expect(try house.targets == [stay, stay, .local("15:00"), .local("17:00")])
    }

    @Test func `S-5: All +1hr sweeps, and takes the banner's own task with it`() throws {
        let house = try House()
        #expect(try house.press(["action": "snooze_all", "task_id": .int(house.urgent)]).status == 200)
        #expect(try house.targets == [.local("15:00"), stay, .local("15:00"), .local("17:00")])
    }

    @Test func `S-5: All to the next period, and to one by name`() throws {
        for (option, until) in [("next_period", "16:00"), ("period:5", "20:30")] {
            let house = try House()
            let answer = try house.press([
                "action": "snooze_all", "task_id": .int(house.urgent), "option": .string(option),
            ])
            #expect(answer["until"] == .local(until))
            #expect(try house.targets == [.local(until), stay, .local(until), .local("17:00")])
        }
    }

    @Test func `S-5: a row's buttons count from a target that is ahead`() throws {
        for (option, late, ahead) in [("60", "15:00", "18:00"), ("next_period", "16:00", "20:30")] {
            let house = try House()
            let body: JSONValue = ["option": .string(option)]
            try house.bench.act("snooze", house.urgent, body, as: house.ann)
            try house.bench.act("snooze", house.ahead, body, as: house.ann)
            #expect(try house.targets == [stay, stay, .local(late), .local(ahead)])
        }
    }

    @Test func `S-5: snooze all by the hour, by two, to tomorrow, and as the user has it`() throws {
        let cases: [(JSONValue, String)] = [
            (["option": "60"], "15:00"), (["option": "120"], "16:00"),
            (["option": "tomorrow"], "10-15 09:00"),
            (["delta_minutes": 60], "15:00"), (["tomorrow": true], "10-15 09:00"),
            (["slot": "next"], "16:00"),
            ([:], "16:00"),
        ]
        for (body, until) in cases {
            let house = try House()
            #expect(try house.bench.sweep(body, as: house.ann)["until"] == .local(until), "\(body)")
            #expect(try house.targets == [.local(until), stay, stay, .local("17:00")], "\(body)")
        }
    }
}
