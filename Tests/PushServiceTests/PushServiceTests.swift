// PushServiceTests
