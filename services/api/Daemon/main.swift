// opentask-api
