"""Which chunk answers a question best, by BM25 over all chunks: what a retriever would find."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qaviz.generation.gate.terms import terms

_K1, _B = 1.2, 0.75
"""Okapi BM25 with the parameters of Robertson and Zaragoza, The Probabilistic Relevance Framework (2009)."""


class Bm25:
    """An index of texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        counted = [Counter(terms(text)) for text in texts]
        lengths = np.array([sum(each.values()) for each in counted], dtype=np.float64)
        mean = float(lengths.mean()) if len(texts) and lengths.any() else 1.0
        norm = _K1 * (1 - _B + _B * lengths / mean)
        places: dict[str, list[int]] = {}
        times: dict[str, list[int]] = {}
        for place, each in enumerate(counted):
            for term, number in each.items():
                places.setdefault(term, []).append(place)
                times.setdefault(term, []).append(number)
        self.size = len(texts)
        self._weights: dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]] = {}
        for term, at in places.items():
            where, often = np.array(at), np.array(times[term], dtype=np.float64)
            rarity = math.log(1 + (self.size - len(at) + 0.5) / (len(at) + 0.5))
            self._weights[term] = where, rarity * often * (_K1 + 1) / (often + norm[where])

    def scores(self, question: str) -> NDArray[np.float64]:
        """The score of each text for this question, 0 where they share no term."""
        scores = np.zeros(self.size)
        for term in set(terms(question)):
            if term in self._weights:
                where, weights = self._weights[term]
                scores[where] += weights
        return scores
