"""What a response claims: whether the golden value that stands in it is its answer or something else.

`accidents`: a match that is a page, an identifier, an address, a date nobody asked for. `roles`: what the clause that
holds the value does (rejected, expected, earlier, another entity's, ...). `candidates`: other values of the same kind.
`choices`: which of the options that a question names is chosen. `settle`: what follows from all of them.
"""
