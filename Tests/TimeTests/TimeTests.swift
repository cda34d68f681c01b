// TimeTests
