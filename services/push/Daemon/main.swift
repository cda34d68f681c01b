// opentask-push
