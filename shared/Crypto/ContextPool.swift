import Synchronization

/// Contexts of libcrypto cost more to make than to use, and serve one thread at a time: lent out and given back.
///
/// Holds at most as many as were in use at the same moment.
final class ContextPool<Context: Sendable>: Sendable {
    private let idle = Mutex<[Context]>([])
    private let make: @Sendable () -> Context

    init(_ make: @escaping @Sendable () -> Context) {
        self.make = make
    }

    func lend<Result, Failure: Error>(_ body: (Context) throws(Failure) -> Result) throws(Failure) -> Result {
        let context = idle.withLock { $0.popLast() } ?? make()
        defer { idle.withLock { $0.append(context) } }
        return try body(context)
    }
}

/// A fetched algorithm or a context, freed with its owner.
///
/// `@unchecked Sendable` is true for algorithms because libcrypto counts their references and never changes them
/// after the fetch, and for contexts because `ContextPool` lends each to one caller at a time.
final class Handle: @unchecked Sendable {
    let pointer: OpaquePointer
    private let free: (OpaquePointer) -> Void

    /// - Precondition: `pointer` is not nil. libcrypto returns nil here when memory is out or when the default
    ///   provider lacks an algorithm that it always has: neither can be mended while running.
    init(_ pointer: OpaquePointer?, free: @escaping (OpaquePointer) -> Void) {
        guard let pointer else { preconditionFailure("libcrypto gave no context") }
        self.pointer = pointer
        self.free = free
    }

    deinit { free(pointer) }
}
