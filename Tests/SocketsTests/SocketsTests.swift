// SocketsTests
