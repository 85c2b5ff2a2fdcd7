"""load → score → diagnose → summarise → show; curate feeds back."""

__version__ = "0.1.0"
