// PushStoreTests
