"""What a run says to people: tables, sentences and figures, from frames alone."""
