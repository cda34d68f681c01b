// delivery
