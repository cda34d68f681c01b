internal import Time

/// Dates by month and day (3.3, class calendar). A date that does not exist is no date.
extension Line {
    /// MON D[ord][,] [YYYY].
    func monthDay(_ i: Int) -> DateHit? {
        guard let month = month(i) else { return nil }
        var next = self[i + 1].isSign(".") && isGlued(i + 1) ? i + 2 : i + 1
        if key(next) == .the { next += 1 }
        guard let (day, end) = dayOfMonth(next) else { return nil }
        let comma = sign(end, ",") ? end + 1 : end
        return dated(month, day, yearAt: comma, elseEnd: end)
    }

    /// D[ord] [of] MON [YYYY].
    func dayMonth(_ i: Int) -> DateHit? {
        guard let (day, end) = dayOfMonth(i) else { return nil }
        let next = key(end) == .of ? end + 1 : end
        guard let month = month(next), next == end + 1 || self[next].isSpaced else { return nil }
        return dated(month, day, yearAt: sign(next + 1, ",") ? next + 2 : next + 1, elseEnd: next + 1)
    }

    private func dated(_ month: Int, _ day: Int, yearAt: Int, elseEnd: Int) -> DateHit? {
        if let year = year(yearAt), let date = LocalDate(year: year, month: month, day: day) {
            return date >= here.today ? DateHit(end: yearAt + 1, day: .on(date)) : nil
        }
        guard let date = upcoming(month, day) else { return nil }
        return DateHit(end: elseEnd, day: .on(date))
    }

    /// YYYY-MM-DD.
    func isoDate(_ i: Int) -> DateHit? {
        guard self[i].length == 4, sign(i + 1, "-"), sign(i + 3, "-"), areGlued(i + 1, through: i + 4),
            self[i + 2].length == 2, self[i + 4].length == 2,
            let date = LocalDate(year: self[i].value, month: self[i + 2].value, day: self[i + 4].value),
            date >= here.today
        else { return nil }
        return DateHit(end: i + 5, day: .on(date))
    }

    /// D.M.YYYY; the year must have four digits (a version has not).
    func dottedDate(_ i: Int) -> DateHit? {
        guard sign(i + 1, "."), sign(i + 3, "."), areGlued(i + 1, through: i + 4), self[i + 4].length == 4,
            self[i + 4].kind == .number, self[i].length <= 2, self[i + 2].length <= 2,
            let date = LocalDate(year: self[i + 4].value, month: self[i + 2].value, day: self[i].value),
            date >= here.today
        else { return nil }
        return DateHit(end: i + 5, day: .on(date))
    }

    /// M/D[/YY[YY]] in the user's order; the other order if only that exists.
    func slashDate(_ i: Int) -> DateHit? {
        guard self[i].kind == .number, self[i + 2].kind == .number, sign(i + 1, "/"),
            areGlued(i + 1, through: i + 2)
        else { return nil }
        let (a, b) = (self[i].value, self[i + 2].value)
        if sign(i + 3, "/"), areGlued(i + 3, through: i + 4), self[i + 4].kind == .number {
            return fullSlashDate(i, a, b, self[i + 4].value)
        }
        guard self[i].length <= 2, self[i + 2].length <= 2, !isNeverADate(a, b) else { return nil }
        let order = here.dateOrder == .dmy ? [(b, a), (a, b)] : [(a, b), (b, a)]
        for (month, day) in order {
            if let date = upcoming(month, day) { return DateHit(end: i + 3, day: .on(date), style: .slash) }
        }
        return nil
    }

    private func fullSlashDate(_ i: Int, _ a: Int, _ b: Int, _ c: Int) -> DateHit? {
        var orders: [(Int, Int, Int)] = []
        if self[i].length == 4 {
            orders = [(a, b, c)]
        } else {
            let year = self[i + 4].length == 2 ? 2000 + c : c
            orders = here.dateOrder == .dmy ? [(year, b, a), (year, a, b)] : [(year, a, b), (year, b, a)]
        }
        guard self[i + 4].length == 2 || self[i + 4].length == 4 || self[i].length == 4 else { return nil }
        for (year, month, day) in orders where (1900...2200).contains(year) {
            if let date = LocalDate(year: year, month: month, day: day) {
                return date >= here.today ? DateHit(end: i + 5, day: .on(date)) : nil
            }
        }
        return nil
    }

    /// Numbers with a meaning of their own (3.5).
    private func isNeverADate(_ a: Int, _ b: Int) -> Bool {
        switch (a, b) {
        case (24, 7), (9, 11), (7, 11), (50, 50): true
        default: false
        }
    }

    /// Fractions, which are dates only behind by, on and due (3.5).
    func isFraction(_ i: Int) -> Bool {
        switch (self[i].value, self[i + 2].value) {
        case (1, 2), (1, 3), (1, 4), (2, 3), (3, 4): true
        default: false
        }
    }

    /// 1 to 31, with or without its ending, in digits or words.
    func dayOfMonth(_ i: Int) -> (day: Int, end: Int)? {
        if let (day, end) = ordinal(i) { return day > 0 ? (day, end) : nil }
        guard self[i].kind == .number || isKey(i, .number, .tens), let (day, end) = amount(i), day <= 31
        else { return nil }
        // 3pm, 5k, 10:30, 3/4 are no days of a month.
        if isGlued(end), self[end].kind != .sign { return nil }
        if isGlued(end), sign(end, ":") || sign(end, "/"), self[end + 1].kind == .number { return nil }
        if isKey(end, .am, .pm) { return nil }
        return (day, end)
    }

    /// 1900 to 2200 in four digits.
    func year(_ i: Int) -> Int? {
        let token = self[i]
        guard token.kind == .number, token.length == 4, (1900...2200).contains(token.value),
            !isGlued(i + 1) || self[i + 1].kind == .sign
        else { return nil }
        return token.value
    }

    /// The first such date from today on; Feb 29 in the next leap year (3.4).
    func upcoming(_ month: Int, _ day: Int) -> LocalDate? {
        for year in here.today.year...(here.today.year + 8) {
            if let date = LocalDate(year: year, month: month, day: day), date >= here.today { return date }
        }
        return nil
    }

    func areGlued(_ first: Int, through last: Int) -> Bool {
        (first...last).allSatisfy { isGlued($0) && $0 < count }
    }
}
