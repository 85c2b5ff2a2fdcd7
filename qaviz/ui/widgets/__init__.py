"""Elements that several pages use: page setup, URL state, filters, tables, charts, texts, cached results."""
