"""What a pipeline retrieved: whether the contexts hold the golden source, and whether the response stands on them."""
