"""Plotly figures, and the palette that they share."""
