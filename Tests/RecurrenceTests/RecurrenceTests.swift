// RecurrenceTests
