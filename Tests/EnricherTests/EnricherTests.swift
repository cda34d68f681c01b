// EnricherTests
