// VarlinkTests
