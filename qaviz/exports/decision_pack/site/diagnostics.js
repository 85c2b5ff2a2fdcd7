// Every response with its diagnosis, why it got it, and what to change.

const orders = {
  "As in the files": null,
  "By question": (a, b) => questionOf(a) - questionOf(b) || a - b,
  "Least certain first": "confidence",
  "Least close first": "closeness",
  "Least concise first": "conciseness",
};

// The rows by a column from its lowest value up, those without one last.
const byColumn = (name) => (a, b) => {
  const [one, other] = [responses[name][a], responses[name][b]];
  if (one === null || other === null) return (one === null) - (other === null) || a - b;
  return one - other || a - b;
};

const inOrder = (rows) => {
  const order = orders[saidOf("order", Object.keys(orders))];
  if (!order) return rows;
  return [...rows].sort(typeof order === "string" ? byColumn(order) : order);
};

const drawChips = (place, rows) => {
  const counts = new Map();
  for (const row of rows) counts.set(responses.diagnosis[row], (counts.get(responses.diagnosis[row]) ?? 0) + 1);
  const picked = saidAll("diagnosis");
  const chips = run.diagnoses.map((diagnosis) => {
    const sign = element("span", "sign", diagnosis.symbol);
    sign.style.color = `color-mix(in srgb, ${diagnosis.colour} 65%, var(--st-text-color))`;
    const chip = element("button", "chip", sign, ` ${diagnosis.name} · ${count(counts.get(diagnosis.name) ?? 0)}`);
    const on = picked.includes(diagnosis.name);
    chip.setAttribute("aria-pressed", on);
    chip.dataset.key = `chip ${diagnosis.name}`;
    chip.addEventListener("click", () =>
      goWith({ diagnosis: on ? picked.filter((name) => name !== diagnosis.name) : [...picked, diagnosis.name] }),
    );
    return chip;
  });
  const group = element("div", "chips", ...chips);
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Diagnoses");
  place.append(group);
};

const drawDiagnostics = (place) => {
  drawFilters(
    place,
    pickOrAll("verdict", "Verdict", run.verdicts, "All verdicts"),
    pickOne("order", "Order", Object.keys(orders)),
  );
  const verdict = saidOf("verdict", ["", ...run.verdicts]);
  const passing = passingResponses().filter((row) => !verdict || responses.verdict[row] === verdict);
  drawChips(place, passing);
  const rows = ofDiagnoses(passing);
  place.append(element("p", "quiet", plural(rows.length, "response")));
  drawResponses(place, inOrder(rows));
};
