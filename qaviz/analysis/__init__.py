"""What a run says: tables and figures, with the sentences that speak of them. Pure: nothing here draws or writes."""
