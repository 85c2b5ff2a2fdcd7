"""What requests will cost, before they are asked: from their sizes, and better once some replies are there."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What asking will take. Replies that the journal has are free and not among the calls."""

    requests: int
    recorded: int
    """How many of them the journal can answer."""
    calls: int
    """How many have to be asked, without retries."""
    input_tokens: int
    output_tokens: int
    cost: float | None
    """In `currency`. None where no price is known."""
    currency: str
    learnt_from: int
    """Replies whose usage the estimate goes by; 0 means by the number of characters alone."""
