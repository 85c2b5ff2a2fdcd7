"""Asking pipelines the golden questions: over HTTP, as a Python callable, as a command, or as a language model."""

from qaviz.pipelines.asking import Asked, AskSettings, ask_pipelines
from qaviz.pipelines.specs import Pipeline, parse_pipelines

__all__ = ["AskSettings", "Asked", "Pipeline", "ask_pipelines", "parse_pipelines"]
