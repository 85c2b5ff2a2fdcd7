// How close each response is to its golden answer, and how concise; a click lists what lies there.

const symbolSigns = { circle: "●", diamond: "◆", square: "■", "triangle-up": "▲", x: "✖", "triangle-down": "▼", cross: "✚", star: "★", hexagon: "⬢" };

const excerpt = (text, longest) => {
  const onOneLine = text.replace(/\s+/g, " ").trim();
  return onOneLine.length > longest ? `${onOneLine.slice(0, longest - 1)}…` : onOneLine;
};

const hintOf = (place) => {
  const scores = `closeness ${score(place.closeness)}, conciseness ${score(place.conciseness)}`;
  const [row] = place.rows;
  if (place.rows.length > 1) return [plural(place.rows.length, "response"), scores, "A click lists them."];
  return [
    `${pipelineOf(row)} · ${responses.diagnosis[row]}`,
    excerpt(questions.question[questionOf(row)] ?? questions.question_id[questionOf(row)], 90),
    excerpt(responses.response[row], 120),
    scores,
  ];
};

const drawLegend = (place) => {
  const entries = pickedPipelines().map((pipeline) => {
    const { name, colour, symbol } = run.pipelines[pipeline];
    const sign = element("span", "sign", symbolSigns[symbol]);
    sign.style.color = colour;
    return element("li", "", sign, ` ${name}`);
  });
  place.append(element("ul", "legend", ...entries));
};

// A chart that is drawn again when its size or the theme changes.
const drawChart = (place, rows) => {
  const { dense, places } = placesOf(rows);
  const canvas = element("canvas", "chart");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "Each response by its closeness and conciseness, with the mean of each pipeline. The table below has the figures.");
  const hint = element("div", "hint");
  hint.hidden = true;
  place.append(element("div", "chart-frame", canvas, hint));
  let drawn;
  const redraw = () => {
    drawn = paper(canvas);
    drawAxes(drawn);
    drawEqualF1(drawn);
    drawThresholds(drawn);
    if (places.length) (dense ? drawTiles : drawPoints)(drawn, places);
    drawMeans(drawn, pickedPipelines());
  };
  new ResizeObserver(redraw).observe(canvas);
  canvas.redraw = redraw;
  const under = (event) => nearest(drawn, places, event.offsetX, event.offsetY);
  canvas.addEventListener("pointermove", (event) => {
    const found = under(event);
    hint.hidden = !found;
    canvas.classList.toggle("over", Boolean(found));
    if (!found) return;
    hint.replaceChildren(...hintOf(found).map((text) => element("span", "", text)));
    const left = drawn.x(found.closeness);
    hint.classList.toggle("to-left", left > canvas.clientWidth / 2);
    hint.style.setProperty("--left", `${left}px`);
    hint.style.setProperty("--top", `${drawn.y(found.conciseness)}px`);
  });
  canvas.addEventListener("pointerleave", () => (hint.hidden = true));
  canvas.addEventListener("click", (event) => {
    const found = under(event);
    if (found) goWith({ at: found.key, region: null });
  });
};

const regionOf = (row) => {
  const { high_closeness: close, low_conciseness: concise, regions } = run.closeness;
  const far = responses.closeness[row] < close;
  const wordy = responses.conciseness[row] < concise;
  return regions[2 * far + wordy].name;
};

const rangeCell = (mean, axis) => {
  const [at, from, to] = ["", "_low", "_high"].map((end) => mean[`${axis}${end}`]);
  const counted = `n = ${count(mean.responses)}`;
  const note = from === null ? counted : `${score(from)} to ${score(to)}, ${counted}`;
  return { kind: "interval", share: at, low: from ?? at, high: to ?? at, text: score(at), note };
};

const drawRegions = (place) => {
  const { regions, means } = run.closeness;
  const columns = [
    { label: "Pipeline", head: true },
    { label: "Closeness, mean" },
    { label: "Conciseness, mean" },
    ...regions.map(({ name, meaning }) => ({ label: name, title: meaning })),
  ];
  const rows = means.map((mean) => ({
    cells: [
      textCell(mean.pipeline),
      rangeCell(mean, "closeness"),
      rangeCell(mean, "conciseness"),
      ...regions.map(({ name }) => textCell(`${count(mean.regions[name])} (${percent(mean.regions[name] / mean.responses)})`)),
    ],
  }));
  drawTable(place, "Where each pipeline's responses lie, in the whole run", columns, rows);
  drawSentences(place, regions.map(({ name, meaning }) => `${name}: ${meaning}`));
};

const drawCloseness = (place) => {
  const regions = run.closeness.regions.map((region) => region.name);
  drawFilters(place, pickDiagnosis(), pickOrAll("region", "List a region", regions, "List a region …"));
  const passing = ofDiagnoses(passingResponses());
  const rows = passing.filter((row) => responses.closeness[row] !== null && responses.conciseness[row] !== null);
  drawChart(place, rows);
  drawLegend(place);
  const leftOut = passing.length - rows.length;
  const reading = rows.length > tilesAbove ? "Darker tiles hold more responses" : "One mark a response";
  const leftOutSaid = leftOut ? ` Not shown: ${plural(leftOut, "response")} without a golden answer.` : "";
  place.append(element("p", "quiet", `${reading}; the large marks are means over the run with their 95% intervals. Click a place to list its responses.${leftOutSaid}`));
  const region = saidOf("region", ["", ...regions]);
  const marked = said("at") ? placesOf(rows).places.find((each) => each.key === said("at"))?.rows : null;
  const listed = marked ?? (region ? rows.filter((row) => regionOf(row) === region) : null);
  if (listed) {
    place.append(element("h2", "", `${marked ? "Marked" : region}: ${plural(listed.length, "response")}`));
    drawResponses(place, listed);
  }
  drawRegions(place);
};
