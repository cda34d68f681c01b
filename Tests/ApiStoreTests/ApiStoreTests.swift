// ApiStoreTests
