"""People review a golden dataset by its risk: which triplets, how many, and what the review has shown."""
