// Recurrence: see docs/house-style.md for its place in the house.
