// opentask.db
