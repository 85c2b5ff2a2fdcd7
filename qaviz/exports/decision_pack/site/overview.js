// What the run says: the decision, the pipelines side by side, what to do next, and the state of the golden dataset.

const partsOf = (pipeline) =>
  run.diagnoses
    .filter((each) => pipeline[each.name])
    .map((each) => ({
      count: pipeline[each.name],
      text: `${each.name} · ${count(pipeline[each.name])}`,
      label: pipeline[each.name] === 1 ? "response" : "responses",
      symbol: each.symbol,
      colour: each.colour,
    }));

const counted = (scored, questions) => (scored === questions ? count(scored) : outOf(scored, questions));

const barCell = (pipeline, name) => ({
  kind: "bar",
  share: pipeline[name],
  text: score(pipeline[name]),
  note: `mean of ${counted(pipeline[`${name}_n`], pipeline.expected)}`,
});

const rightCell = (pipeline) => ({
  kind: "interval",
  share: pipeline.share,
  low: pipeline.right_low,
  high: pipeline.right_high,
  text: pipeline.in_words,
  note: `likely ${interval(pipeline.right_low, pipeline.right_high)}`,
});

const factsCell = (pipeline) => ({
  kind: "bar",
  share: pipeline.facts_stated,
  text: outOf(pipeline.fact_hits, pipeline.fact_scored),
  note: pipeline.fact_scored ? `likely ${interval(pipeline.low, pipeline.high)}` : "no fact scored",
});

const drawPipelines = (place) => {
  const { factual_knowledge: fact, recall_over_words: recall, precision_over_words: precision } = run.metrics;
  const columns = [
    { label: "Pipeline", head: true },
    { label: "Right answers", title: "Responses that are correct or rightly decline." },
    { label: "Facts stated", title: fact.help },
    { label: recall.label, title: recall.help },
    { label: precision.label, title: precision.help },
    { label: "Diagnoses", title: "The class of each response, from its scores and evidence.", wide: true },
  ];
  const rows = run.overview.ranking.map((pipeline) => ({
    cells: [
      textCell(pipeline.pipeline),
      pipeline.share === null ? textCell("not judged") : rightCell(pipeline),
      factsCell(pipeline),
      barCell(pipeline, "closeness"),
      barCell(pipeline, "conciseness"),
      { kind: "parts", parts: partsOf(pipeline) },
    ],
  }));
  drawTable(place, "Pipelines: right answers, facts stated and diagnoses", columns, rows, true);
};

const drawSteps = (place) => {
  if (!run.overview.steps.length) {
    place.append(element("p", "", "Every response is diagnosed as correct."));
    return;
  }
  const rows = run.overview.steps.map((step) => ({
    href: hrefOf("diagnostics", { diagnosis: step.diagnosis, pipeline: step.pipeline }),
    cells: [textCell(step.title), textCell(step.fault ?? "open")],
  }));
  const columns = [{ label: "Step", head: true, wide: true }, { label: "Fault", title: "Where the cause is." }];
  drawTable(place, "Most useful next steps", columns, rows);
};

const drawOverview = (place) => {
  drawSentences(place, run.overview.points, run.overview.lead);
  drawPipelines(place);
  const steps = element("section", "", element("h2", "", "Most useful next"));
  const golden = element("section", "", element("h2", "", "Golden dataset"));
  place.append(element("div", "beside", steps, golden));
  drawSteps(steps);
  drawSentences(golden, run.overview.golden);
  const unknown = element("section", "", element("h2", "", "What is not known"));
  place.append(unknown);
  drawSentences(unknown, run.overview.unknown);
  if (run.overview.never_stated) {
    golden.append(element("p", "", link(hrefOf("facts", { stated: "None" }), "See facts stated by no pipeline →")));
  }
};
