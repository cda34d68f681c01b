import Synchronization

/// A body that is made piece by piece, while it goes out: each piece when the reader has taken the one before. So a
/// long answer takes the memory of one piece, and a slow reader holds nothing up but his own answer.
///
/// The pieces are asked for on the thread that answered, one at a time: making one must not take long.
public final class HTTPPieces: Sendable {
    private let source: Mutex<(() throws -> [UInt8]?)?>

    /// - Parameter next: the next piece; nil: that was all. What it throws breaks the connection off, so that the reader
    ///   cannot take what he has for the whole. It is let go of after the last piece, and when the reader is gone.
    public init(_ next: sending @escaping () throws -> [UInt8]?) { source = Mutex(next) }

    /// The next piece; nil at the end, and ever after.
    public func next() throws -> [UInt8]? {
        try source.withLock { source in
            do {
                // An empty piece says nothing: the reader would wait for more.
                while let piece = try source?() {
                    if !piece.isEmpty { return piece }
                }
            } catch {
                source = nil
                throw error
            }
            source = nil
            return nil
        }
    }
}
