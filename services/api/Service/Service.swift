// state and rules
