// One triplet beside its passage. Keys decide; what is written is sent as a draft; a decision is sent again until Python
// says that it heard it.

const DRAFT_MS = 400;
const RESEND_MS = 4000;
const TEXTS = ["question", "answer", "fact"];

const labelled = (label, text, className) => {
  const block = element("div", "block");
  block.append(element("span", "label", label), element("div", className ?? "text", text || "–"));
  return block;
};

const parts = (list, className) => {
  const text = element("div", className);
  text.append(
    ...list.map(({ text: said, kind }) => {
      const part = element(kind ? "mark" : "span", kind ? `kind-${kind}` : "", said);
      if (kind) part.title = kind;
      return part;
    }),
  );
  return text;
};

const folded = (title, open, ...content) => {
  const details = element("details", "folded");
  details.open = open;
  details.append(element("summary", "", title), ...content);
  return details;
};

const key = (letter) => element("kbd", "", letter.toUpperCase());

class Reading {
  constructor(root, say) {
    Object.assign(this, { root, say, pending: null });
    this.hear = (event) => this.press(event);
    document.addEventListener("keydown", this.hear);
  }

  show(data) {
    const before = this.data;
    this.data = data;
    if (this.pending !== null && data.heard === this.pending) this.settle();
    if (before?.attempt !== data.attempt) this.draw();
    else this.update();
  }

  settle() {
    this.pending = null;
    clearInterval(this.again);
    this.root.classList.remove("saving");
  }

  draw() {
    const { item } = this.data;
    clearTimeout(this.drafting);
    this.began = performance.now();
    this.findings = new Set(this.data.draft?.findings ?? []);
    this.editing = Boolean(this.data.draft?.editing);
    this.root.replaceChildren(this.head(), ...(item ? [this.columns(), this.actions()] : [this.end()]));
    this.update();
    if (this.root.getBoundingClientRect().top < 0) this.root.scrollIntoView();
  }

  head() {
    const head = element("div", "head");
    this.position = element("span", "position");
    this.position.setAttribute("role", "status");
    this.last = element("span", "last");
    this.undo = element("button", "undo", "Undo ");
    this.undo.append(key("u"));
    this.undo.addEventListener("click", () => this.send({ kind: "undo" }));
    this.problem = element("p", "problem");
    this.problem.setAttribute("role", "alert");
    head.append(this.position, this.last, this.undo, this.problem);
    return head;
  }

  end() {
    return element("p", "end", this.data.end);
  }

  columns() {
    const columns = element("div", "columns");
    columns.append(this.source(), this.triplet());
    return columns;
  }

  source() {
    const { passage, guidelines } = this.data;
    const source = element("section", "source");
    source.setAttribute("aria-label", "Passage");
    source.append(element("span", "label", passage.place), parts(passage.parts, "text passage"));
    source.append(element("p", "quiet", passage.legend));
    const rules = element("dl", "rules");
    for (const [name, what] of guidelines.findings) rules.append(element("dt", "", name), element("dd", "", what));
    source.append(folded("Guidelines and examples", false, element("p", "text", guidelines.text), rules));
    return source;
  }

  triplet() {
    const { triplet, responses } = this.data;
    const card = element("section", "triplet");
    card.setAttribute("aria-label", "Triplet");
    this.shown = element("div", "shown");
    const variants = element("ul", "variants");
    variants.append(...triplet.variants.map((each) => element("li", "variant", each)));
    const fact = labelled("Fact, and its variants", "", "facts");
    fact.lastChild.replaceChildren(triplet.variants.length ? variants : "–");
    this.shown.append(
      element("p", "question", triplet.question || "–"), labelled("Golden answer", triplet.answer), fact,
    );
    this.checks = element("ul", "checks");
    card.append(this.shown, this.editor(), element("span", "label", "Automatic checks"), this.checks);
    if (responses.length) {
      const list = element("dl", "responses");
      for (const each of responses) list.append(element("dt", "", each.pipeline), element("dd", "text", each.text || "–"));
      card.append(folded(`What ${responses.length} pipelines answer`, true, list));
    }
    card.append(this.toggles(), this.noting());
    return card;
  }

  editor() {
    const { triplet, draft } = this.data;
    this.form = element("div", "editor");
    this.fields = {};
    for (const name of TEXTS) {
      const field = element("textarea", "");
      field.rows = name === "fact" ? 2 : 3;
      field.value = draft?.[name] ?? triplet[name];
      field.setAttribute("aria-label", `New ${name}`);
      field.addEventListener("input", () => this.draft());
      this.fields[name] = field;
      const label = element("label", "", name === "fact" ? "Fact, variants joined by <OR>" : name);
      label.append(field);
      this.form.append(label);
    }
    this.gate = element("p", "gate");
    const save = element("button", "primary", "Save the edit ");
    save.append(key("Ctrl+Enter"));
    save.addEventListener("click", () => this.decide("edit"));
    const leave = element("button", "", "Do not edit ");
    leave.append(key("Esc"));
    leave.addEventListener("click", () => this.edit(false));
    const row = element("div", "row");
    row.append(save, leave);
    this.form.append(this.gate, row);
    return this.form;
  }

  toggles() {
    const group = element("div", "findings");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "Findings");
    this.switches = this.data.findings.map((name, place) => {
      const button = element("button", "finding");
      if (place < 9) button.append(key(String(place + 1)), " ");
      button.append(name);
      button.addEventListener("click", () => this.toggle(place));
      return button;
    });
    group.append(...this.switches);
    return group;
  }

  noting() {
    const label = element("label", "noting", "Note ");
    label.append(key("n"));
    this.note = element("textarea", "");
    this.note.rows = 2;
    this.note.value = this.data.draft?.note ?? "";
    this.note.addEventListener("input", () => this.draft());
    label.append(this.note);
    return label;
  }

  actions() {
    const bar = (this.bar = element("div", "actions"));
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", "Decision");
    for (const each of this.data.actions) {
      const button = element("button", each.action === "accept" ? "primary" : "", `${each.label} `);
      button.append(key(each.key));
      button.title = each.title;
      button.addEventListener("click", () => this.act(each.action));
      bar.append(button);
    }
    return bar;
  }

  update() {
    const { position, last, error, gate, checks } = this.data;
    this.position.textContent = position;
    this.last.textContent = last;
    this.undo.hidden = !last;
    this.problem.textContent = error;
    this.problem.hidden = !error;
    if (!this.data.item) return;
    this.shown.hidden = this.editing;
    this.form.hidden = !this.editing;
    // A decision beside an edit that is being written would throw it away.
    this.bar.hidden = this.editing;
    this.checks.replaceChildren(...checks.map((each) => element("li", "", each)));
    this.gate.textContent = gate;
    this.switches.forEach((button, place) => {
      button.setAttribute("aria-pressed", String(this.findings.has(this.data.findings[place])));
    });
  }

  toggle(place) {
    const name = this.data.findings[place];
    if (name === undefined || this.pending !== null) return;
    if (!this.findings.delete(name)) this.findings.add(name);
    this.update();
    this.draft();
  }

  act(action) {
    if (action === "edit") this.edit(true);
    else this.decide(action);
  }

  edit(on) {
    if (this.pending !== null) return;
    this.editing = on;
    this.update();
    this.draft();
    if (on) this.fields.fact.focus();
    else this.root.querySelector("textarea:focus")?.blur();
  }

  written() {
    const texts = Object.fromEntries(TEXTS.map((name) => [name, this.editing ? this.fields[name].value : null]));
    return { item: this.data.item, findings: [...this.findings], note: this.note.value, editing: this.editing, ...texts };
  }

  draft() {
    clearTimeout(this.drafting);
    this.drafting = setTimeout(() => {
      if (this.pending === null && this.data.item) this.say({ kind: "draft", ...this.written(), seq: Date.now() });
    }, DRAFT_MS);
  }

  decide(action) {
    if (!this.data.item) return;
    if (action !== "edit") this.editing = false;
    this.send({ kind: "decide", action, ...this.written(), seconds: (performance.now() - this.began) / 1000 });
  }

  send(message) {
    if (this.pending !== null) return;
    clearTimeout(this.drafting);
    this.pending = Date.now();
    this.root.classList.add("saving");
    const whole = { ...message, seq: this.pending };
    this.say(whole);
    this.again = setInterval(() => this.say(whole), RESEND_MS);
  }

  press(event) {
    const [target] = event.composedPath();
    const own = this.root.contains(target);
    if (event.key === "Escape" && own) return void (this.editing ? this.edit(false) : target.blur());
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && own && this.editing) {
      event.preventDefault();
      return void this.decide("edit");
    }
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest?.("input, textarea, select, [contenteditable], [role=listbox], [role=dialog]")) return;
    this.run(event);
  }

  run(event) {
    const letter = event.key.toLowerCase();
    if (letter === "u" && this.data.last) return void this.send({ kind: "undo" });
    if (!this.data.item) return;
    const known = this.data.actions.find((each) => each.key === letter);
    if (known && !this.editing) {
      event.preventDefault();
      this.act(known.action);
    } else if (letter === "n") {
      event.preventDefault();
      this.note.focus();
    } else if (/^[1-9]$/.test(letter)) this.toggle(Number(letter) - 1);
  }

  remove() {
    document.removeEventListener("keydown", this.hear);
    clearInterval(this.again);
    clearTimeout(this.drafting);
  }
}

const readings = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".reading");
  if (!readings.has(root)) readings.set(root, new Reading(root, (said) => setTriggerValue("said", said)));
  const reading = readings.get(root);
  clearTimeout(reading.leaving);
  reading.show(data);
  // What stands below is hidden until then: see first_paint.css.
  parentElement.host.dataset.drawn = "";
  // Streamlit clears up before each new call too: only what is not called again goes.
  return () => {
    reading.leaving = setTimeout(() => {
      reading.remove();
      readings.delete(root);
    });
  };
}
