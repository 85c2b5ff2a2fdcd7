"""What `TruSession.get_records_and_feedback` of TruLens holds, as JSON and as CSV. Run with trulens-core installed."""

import tempfile
import time
from importlib.metadata import version
from pathlib import Path

from trulens.apps.app import TruApp
from trulens.core import Feedback, TruSession
from trulens.core.otel.instrument import instrument
from trulens.otel.semconv.trace import SpanAttributes

RELEASE = version("trulens-core")
BESIDE = Path(__file__).parent
SAID = {"How many?": "There are 158.", "Who?": "Bob."}
ROOT = SpanAttributes.RECORD_ROOT


class App:
    """Answers from a table."""

    @instrument(
        span_type=SpanAttributes.SpanType.RECORD_ROOT, attributes={ROOT.INPUT: "question", ROOT.OUTPUT: "return"}
    )
    def ask(self, question: str) -> str:
        return SAID[question]


def stated(output: str) -> float:
    return float("158" in output)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        session = TruSession(database_url=f"sqlite:///{folder}/t.sqlite")
        app = App()
        metrics = [Feedback(stated, name="stated").on_output()]
        recorder = TruApp(app, app_name="parrot", app_version="1", main_method=app.ask, feedbacks=metrics)
        for question in SAID:
            with recorder:
                app.ask(question)
        session.force_flush()
        recorder.compute_feedbacks()
        time.sleep(2)
        records, _ = session.get_records_and_feedback()
        records.to_json(BESIDE / f"trulens-{RELEASE}.json", orient="records", indent=1)
        records.to_csv(BESIDE / f"trulens-{RELEASE}.csv", index=False)
