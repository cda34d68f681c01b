// ApiServiceTests
