/// What a `WebServer` asks: one object for all requests, called from all threads of the pool at once.
public protocol HTTPHandler: Sendable {
    /// The largest body, in bytes, that is accepted for this request. Asked when the head has been read.
    ///
    /// `path` is the path as sent, without the query. Must not block.
    func bodyLimit(method: String, path: String) -> Int

    /// The answer to a complete request. Called on a thread of the server's pool, which may block.
    ///
    /// While it blocks, the other connections of that thread wait, streams too. Each new connection goes to the
    /// thread that has the fewest, so that as many as there are threads never wait for each other.
    func respond(to request: HTTPRequest) -> HTTPResponse

    /// The answer to a request that `respond` never saw, or whose answer could not be given.
    ///
    /// So every answer can have the product's own shape; `refusal.status` is the status that fits.
    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse
}
