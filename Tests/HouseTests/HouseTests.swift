// HouseTests
