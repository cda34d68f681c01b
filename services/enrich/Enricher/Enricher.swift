// the built-in enricher
