// EnrichServiceTests
