// opentask
