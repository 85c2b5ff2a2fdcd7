"""Asking pipelines the golden questions: over HTTP, as a Python callable, or as a command."""

from qaviz.pipelines.asking import Asked, AskSettings, ask_pipelines
from qaviz.pipelines.pipeline import PIPELINES_VARIABLE, Pipeline, allowed_pipelines, parse_pipelines

__all__ = ["PIPELINES_VARIABLE", "AskSettings", "Asked", "Pipeline", "allowed_pipelines"]
__all__ += ["ask_pipelines", "parse_pipelines"]
