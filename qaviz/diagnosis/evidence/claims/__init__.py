"""What a response claims: whether the golden value that stands in it is its answer or something else.

`accidents`: a match that is a page, an identifier, an address, a date nobody asked for. `parts`: a response in parts of
sentences. `roles`: what the part that holds a value does with it (rejected, expected, earlier, the opposite, ...), by
`cues`. `candidates`: values with their roles; `rivals`: other values of the golden one's kind;
`comparing`: which of two answers more of the question. `predicates`: who does what is asked. `subordination`: an answer
in front of the clause that names the golden value. `restatement`: the sentence that restates the question. `choices`:
which of the options that a question names is chosen. `declining`: a refusal beside a value. `settle`: what follows from
all of them.
"""
