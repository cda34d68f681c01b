// opentask-enrich
