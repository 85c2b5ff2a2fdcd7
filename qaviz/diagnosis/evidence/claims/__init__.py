"""What a response claims: whether the golden value that stands in it is its answer or something else.

`parts`: a response in parts of sentences. `roles`: what the part that holds a value does with it (rejected, expected,
earlier, the opposite, ...). `candidates`: values of the golden one's kind, with their roles. `comparing`: which of two
answers more of the question. `predicates`: who does what is asked. `answers`: the answer in front of the golden value,
or in the sentence that restates the question. `choices`: questions of two. `settle`: what follows from all of them, and
how far a response may claim something else although no rule tells it.
"""
