import JSON
import Sockets

/// How one message is answered, once for every connection.
extension VarlinkRouter {
    /// What happens with the connection after a message.
    enum Next: Hashable {
        case goOn, close
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

    /// Sends an error reply. If that fails the connection has ended, which the next read finds out.
    private func refuse(_ error: VarlinkError, on channel: ReplyChannel) {
        do {
            try channel.write(try ReplyMessage(error), isLast: true)
        } catch {
            channel.end()
        }
    }
}
