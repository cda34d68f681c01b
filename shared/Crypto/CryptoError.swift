import CCrypto

/// What libcrypto refused: bad keys, forged ciphertexts, signatures that cannot be made.
///
/// Carries no secret: the step that failed and libcrypto's own code for it.
public struct CryptoError: Error, Hashable {
    /// What was being done, for a log: "read the private key".
    public var step: String
    /// `ERR_get_error`; 0 when we refused before libcrypto was asked. `openssl errstr` explains it.
    public var code: UInt

    public init(step: String, code: UInt = 0) {
        self.step = step
        self.code = code
    }

    /// Takes the last error off this thread's queue and empties the queue.
    static func last(_ step: String) -> CryptoError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        return CryptoError(step: step, code: UInt(code))
    }
}
