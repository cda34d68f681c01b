// opentask-scheduler
