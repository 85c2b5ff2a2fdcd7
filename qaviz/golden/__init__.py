"""Golden datasets: lint, variants, edits, versions, and previews of what an edit would change."""
