"""Questions and responses in other languages than English: told apart, and read as the evidence reads English."""
