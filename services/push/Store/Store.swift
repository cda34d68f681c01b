// push.db
