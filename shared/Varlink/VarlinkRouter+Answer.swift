import JSON
public import Sockets

/// How one message is answered, once for every connection.
extension VarlinkRouter {
    /// What happens with the connection after a message.
    enum Next: Hashable {
        case goOn, close
    }

    /// Answers one message without a connection, in memory. A stream sees a caller that hung up right after its call.
    ///
    /// - Parameter message: without its NUL, as the replies are.
    /// - Returns: the replies, and whether a connection would stay open after them.
    public func answer(
        _ message: [UInt8], from peer: PeerCredentials = .current, limits: VarlinkLimits = VarlinkLimits(),
        onFailure: (_ method: String, any Error) -> Void = { _, _ in }
    ) -> (replies: [[UInt8]], staysOpen: Bool) {
        let sink = MemorySink()
        let channel = ReplyChannel(sink, messageBytes: limits.messageBytes)
        let next = answer(
            message, from: peer, isPermitted: true, limits: limits, on: channel, failed: onFailure)
        return (sink.replies, next == .goOn)
    }

    /// Answers one message, without its NUL.
    ///
    /// - Parameter failed: gets the errors that the peer must not see.
    func answer(
        _ message: [UInt8], from peer: PeerCredentials, isPermitted: Bool, limits: VarlinkLimits,
        on channel: ReplyChannel, failed: (String, any Error) -> Void
    ) -> Next {
        let call: CallMessage
        do throws(CallMessage.Failure) {
            call = try CallMessage(parsing: message, depth: limits.depth)
        } catch {
            // Whoever cannot write a call is not asked for another one. Without an object there is nothing to answer.
            if case .member(let name) = error { refuse(.invalidParameter(name), on: channel) }
            return .close
        }
        do {
            guard isPermitted else { throw VarlinkError.permissionDenied }
            guard !call.upgrade else { throw VarlinkError.invalidParameter("upgrade") }
            try perform(call, from: peer, on: channel)
        } catch is VarlinkTransportError where channel.isBroken {
            return .close  // the peer is gone, or was cut off
        } catch let error as UnreadableParameters {
            if !call.oneway { refuse(.invalidParameter(error.path ?? misfit(in: call)), on: channel) }
        } catch let error as VarlinkError {
            if !call.oneway { refuse(error, on: channel) }
        } catch {
            failed(call.method, error)
            if !call.oneway { refuse(.internalError, on: channel) }
        }
        channel.end()
        return channel.isBroken ? .close : .goOn
    }

    private func perform(_ message: CallMessage, from peer: PeerCredentials, on channel: ReplyChannel) throws
    {
        let call = VarlinkCall(peer: peer, method: message.method, more: message.more, oneway: message.oneway)
        switch try handler(for: message.method) {
        case .reply(let handler):
            let reply = try handler(message.parameters, call)
            if !call.oneway { try channel.write(ReplyMessage(parameters: reply), isLast: true) }
        case .stream(let handler):
            guard call.more, !call.oneway else { throw VarlinkError.expectedMore }
            try handler(message.parameters, call, channel)
            try channel.finish()
        }
    }

    /// The parameter that does not have the type that the interface says, where the decoder did not tell: that of
    /// Foundation gives no path for a fraction where an integer belongs.
    private func misfit(in call: CallMessage) -> String {
        guard let dot = call.method.utf8.lastIndex(of: UInt8(ascii: ".")),
            let interface = interfaces.first(where: { $0.name == call.method[..<dot] }),
            let parameters = try? JSONValue(parsing: Array(call.parameters)),  // else it has no name
            let path = interface.mismatch(
                parameters: parameters, of: String(call.method[call.method.utf8.index(after: dot)...])),
            !path.isEmpty
        else { return "parameters" }
        return path
    }

    /// Sends an error reply. If that fails the connection has ended, which the next read finds out.
    private func refuse(_ error: VarlinkError, on channel: ReplyChannel) {
        do {
            try channel.write(try ReplyMessage(error), isLast: true)
        } catch {
            channel.end()
        }
    }
}
