import EnrichService
import Testing

@Suite("Enrich 1.5 Circuit breaker")
struct CircuitBreakerTests {
    private let start = ContinuousClock.now

    private func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    @Test func `five failures in 60 s open it for 300 s`() {
        var breaker = CircuitBreaker()
        for second in 0..<4 {
            let opened = breaker.failed(at: at(second))
            #expect(!opened)
        }
        #expect(breaker.ask(at: at(4)) == .closed)
        let opened = breaker.failed(at: at(59))
        #expect(opened)
        #expect(breaker.ask(at: at(60)) == .open(.seconds(299)))
        #expect(breaker.remaining(at: at(60)) == .seconds(299))
        #expect(breaker.ask(at: at(358)) == .open(.seconds(1)))
    }

    @Test func `five failures in more than 60 s do not`() {
        var breaker = CircuitBreaker()
        for second in [0, 15, 30, 45, 60, 75, 90] {
            let opened = breaker.failed(at: at(second))
            #expect(!opened)
        }
        #expect(breaker.ask(at: at(91)) == .closed)
    }

    @Test func `an answer between them clears the count`() {
        var breaker = CircuitBreaker()
        for second in 0..<4 { _ = breaker.failed(at: at(second)) }
        breaker.succeeded()
        let opened = breaker.failed(at: at(5))
        #expect(!opened)
    }

    @Test func `half-open lets one through, whose outcome decides`() {
        for isWell in [true, false] {
            var breaker = CircuitBreaker()
            for second in 0..<5 { _ = breaker.failed(at: at(second)) }
            #expect(breaker.ask(at: at(305)) == .trial)
            #expect(breaker.ask(at: at(305)) == .open(.seconds(1)))
            if isWell {
                breaker.succeeded()
                #expect(breaker.ask(at: at(306)) == .closed)
            } else {
                let opened = breaker.failed(at: at(306))
                #expect(opened)
                #expect(breaker.ask(at: at(307)) == .open(.seconds(299)))
            }
        }
    }

    @Test func `a failure that asking again cannot mend opens it at once`() {
        var breaker = CircuitBreaker()
        let opened = breaker.failed(at: at(0), isFinal: true)
        #expect(opened)
        #expect(breaker.ask(at: at(299)) == .open(.seconds(1)))
    }
}
