"""The decision pack as JSON: its sentences and figures with all their digits, for programs. Not the rows."""

from dataclasses import asdict
from typing import BinaryIO

import orjson

from qaviz.analysis.certificate import Certificate, describe_certificate
from qaviz.analysis.decision import Decision
from qaviz.exports.decision_pack.content import SIGN_OFF, Content


def write(content: Content, stream: BinaryIO) -> None:
    """Write the pack as one JSON object in UTF-8. Null is what was not scored or not given."""
    content_json = {
        "run": asdict(content.run),
        "made_at": content.made_at,
        "question": content.question,
        "decision": _describe_decision(content.decision, content.certificate),
        "override": content.override and asdict(content.override),
        "sentence": content.lead,
        "sentences": content.points,
        "pipelines": content.summary.to_dicts(),
        "normalised": content.normalised.to_dicts(),
        "criteria": content.criteria.to_dicts(),
        "comparisons": content.comparisons.to_dicts(),
        "funnel": content.funnel,
        "diagnoses": [asdict(part) for part in content.diagnoses],
        "certificate": describe_certificate(content.certificate),
        "golden_dataset": content.golden,
        "not_known": content.unknown,
        "measured": dict(content.measured),
        "sign_off": dict.fromkeys(SIGN_OFF),
    }
    stream.write(orjson.dumps(content_json, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


_RANKING = ("pipeline", "right", "of", "low", "high", "corrected_by_labels", "share", "unsure", "missing", "empty")
_BESIDE = ("declined_rightly", "labelled", "method", "cost", "latency_ms", "critical", "criteria", "against")


def _describe_decision(decision: Decision, certificate: Certificate) -> dict[str, object]:
    """The decision for programs: `settled_by` is null where no number of questions settles it."""
    risk = decision.risk
    return {
        "measure": decision.measure,
        "recommended": decision.recommended,
        "subject": decision.subject,
        "kind": decision.kind,
        "confidence": decision.confidence,
        "confidence_reason": decision.confidence_reason,
        "why": decision.confidence_reason,
        "status": decision.status,
        "status_reason": decision.status_reason,
        "impact": asdict(decision.impact),
        "certified": describe_certificate(certificate) if certificate.certified else None,
        "settled": decision.settled,
        "open": decision.open,
        "sentence": decision.sentence,
        "reasons": decision.reasons,
        "doubts": decision.doubts,
        "risk": risk and risk.sentence,
        "risk_example": risk and asdict(risk),
        "settled_by": decision.settled_by,
        "settled_in_days": decision.settled_in_days,
        "settling": decision.settling,
        "protocol": asdict(decision.protocol),
        "next_step": decision.next_step,
        "trust": decision.trust,
        "labelled": decision.labelled,
        "agreed": decision.agreed,
        "effort": decision.effort,
        "ranking": decision.ranking.select(*_RANKING, *_BESIDE).to_dicts(),
    }
