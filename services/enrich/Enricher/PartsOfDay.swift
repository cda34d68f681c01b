/// Parts of the day (3.3).
struct PartHit {
    var end: Int
    var part: PartOfDay
    /// `this evening`: the day is said too.
    var isToday = false
}

extension Line {
    /// A part of the day that stands by itself: in the morning, this evening, at lunch, after work, first thing.
    func part(_ i: Int) -> PartHit? {
        guard starts(i), let hit = anyPart(i), ends(hit.end) else { return nil }
        return hit
    }

    private func anyPart(_ i: Int) -> PartHit? {
        switch key(i) {
        case .in:
            guard isKey(i + 1, .the, .my) || key(i + 1) == .early else { return nil }
            return barePart(key(i + 1) == .early ? i + 1 : i + 2)
        case .this:
            guard var hit = barePart(i + 1) else { return nil }
            hit.isToday = true
            return hit
        case .at, .during, .over:
            if key(i) == .at, self[i + 1].key == .part, self[i + 1].lexeme.value == PartOfDay.night.rawValue {
                return PartHit(end: i + 2, part: .night)
            }
            if key(i) == .at, key(i + 1) == .bedtime { return PartHit(end: i + 2, part: .night) }
            if key(i + 1) == .lunch, isClauseEnd(i + 2) || !isNoun(i + 2) {
                return PartHit(end: i + 2, part: .lunch)
            }
            return nil
        case .after:
            return key(i + 1) == .work && !isGlued(i + 2) ? PartHit(end: i + 2, part: .afterWork) : nil
        case .before:
            if key(i + 1) == .work, !isGlued(i + 2) { return PartHit(end: i + 2, part: .beforeWork) }
            if isKey(i + 1, .bed, .bedtime) { return PartHit(end: i + 2, part: .night) }
            return nil
        case .ordinal where self[i].lexeme.value == 1 && key(i + 1) == .thing:
            if key(i + 2) == .in, key(i + 3) == .the, key(i + 4) == .part {
                return PartHit(end: i + 5, part: .firstThing)
            }
            return PartHit(end: i + 2, part: .firstThing)
        default: return nil
        }
    }

    /// `[early] morning` …, as it stands after a date or a rule.
    func barePart(_ i: Int) -> PartHit? {
        if key(i) == .early, key(i + 1) == .part, self[i + 1].lexeme.value == PartOfDay.morning.rawValue {
            return PartHit(end: i + 2, part: .earlyMorning)
        }
        guard key(i) == .part, let part = PartOfDay(rawValue: self[i].lexeme.value), ends(i + 1) else {
            return nil
        }
        return PartHit(end: i + 1, part: part)
    }

    /// A word that the grammar does not know: for all we can tell, what the words before it describe.
    func isNoun(_ i: Int) -> Bool {
        let token = self[i]
        return token.kind == .word && token.key == .none && !token.lexeme.isVerb && !token.isAfterCut
    }
}
