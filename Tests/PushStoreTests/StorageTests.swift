import Interfaces
import PushStore
import SQLite
import TestSupport
import Testing
import Time

@Suite("push.db: the storage fails")
struct StorageTests {
    @Test(.enabled(if: SmallDisk.isAllowed, "may not mount a file system here"))
    func
        `a full disk: nothing is taken or sent, nothing is lost or sent twice, and with room it works again`()
        throws
    {
        let disk = try SmallDisk()
        let house = try TemporaryStore(path: disk.path + "/push.db")
        try house.register(.browser())
        let kept = house.alert(1)
        try house.accept(kept)
        try disk.fill()
        // What the write-ahead log still has room for is taken, and then really there.
        var taken = [kept.id]
        var refused: [Push.Message] = []
        for task in 2...200 where refused.count < 5 {
            var message = house.alert(Int64(task))
            message.alert?.body = String(repeating: "x", count: 3000)
            do {
                try house.accept(message)
                taken.append(message.id)
            } catch let error as SQLiteError {
                #expect(error.isFull)
                refused.append(message)
            }
        }
        #expect(!refused.isEmpty)
        #expect(try house.store.counts().queued == taken.count)
        // Taking what is to be sent is a write, too: it either happens or leaves nothing under way.
        let outgoing = (try? house.next()) ?? []

        disk.makeRoom()
        try house.end(outgoing)
        let late = try house.sendAll()
        #expect((outgoing.map(\.message.id) + late).sorted() == taken.sorted(), "each once")
        for message in refused { try house.accept(message) }
        #expect(try house.sendAll() == refused.map(\.id))
    }

    @Test func `a newer release's file is refused for good`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("push.db")
        _ = try DeliveryStore(path: path)
        try Database(path: path).execute("PRAGMA user_version = 99")
        let error = #expect(throws: StoreUnusable.self) { try DeliveryStore(path: path) }
        #expect(error?.description.contains("install the release that wrote it") == true)
    }
}
