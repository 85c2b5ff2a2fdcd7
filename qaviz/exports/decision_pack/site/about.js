// Where the report comes from, by which thresholds it judges, and what its scores mean.

const listOf = (className, entries) => {
  const made = element("dl", className);
  for (const [term, text] of entries) made.append(element("dt", "", term), element("dd", "", text));
  return made;
};

const drawAbout = (place) => {
  const { facts, thresholds, listed } = run.about;
  place.append(
    element("h2", "", "Origin"),
    listOf("facts", facts),
    element("h2", "", "Thresholds"),
    listOf("", thresholds.map(({ label, value, help }) => [`${label} ${score(value)}`, help])),
    element("h2", "", "Scores"),
    listOf("", Object.values(run.metrics).map(({ label, help }) => [label, help])),
  );
  if (listed.length) place.append(element("h2", "", "Listed while loading"));
  drawSentences(place, listed);
  place.append(element("p", "quiet", "This is a read-only copy. It contains all of its data and sends nothing to any server."));
};
