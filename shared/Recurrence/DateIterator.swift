import CIcal
import Time

/// libical's iterator over the dates of a rule. Used by one thread, freed with its owner.
///
/// libical keeps no state between iterators but its error code, which is one per thread.
struct DateIterator: ~Copyable {
    private let handle: OpaquePointer

    /// - Returns: nil if libical cannot read the rule, or can tell that no date matches.
    init?(rule: String, start: LocalDate) {
        _ = DateIterator.errorsAreReturned
        guard let handle = ot_recur_new(rule, Int32(start.year), Int32(start.month), Int32(start.day)) else {
            return nil
        }
        self.handle = handle
    }

    deinit { icalrecur_iterator_free(handle) }

    /// The next date; nil at the end. libical looks no further than the year 2582.
    mutating func next() -> LocalDate? {
        var year: Int32 = 0
        var month: Int32 = 0
        var day: Int32 = 0
        guard ot_recur_next(handle, &year, &month, &day) == 1 else { return nil }
        return LocalDate(year: Int(year), month: Int(month), day: Int(day))
    }

    /// A build of libical may abort on an error by default; this one is told once that it must not.
    private static let errorsAreReturned: Void = icalerror_set_errors_are_fatal(0)
}
