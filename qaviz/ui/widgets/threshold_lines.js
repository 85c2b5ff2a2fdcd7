// Draws two threshold lines over each panel of a chart, and puts a handle on each line of the first one. Moved by pointer
// or by key along its own axis, it says the new value to Python.

const STEP = 0.01;
const PAGE = 0.1;
const PAUSE_MS = 500;

const rounded = (value) => Math.min(1, Math.max(0, Math.round(value / STEP) * STEP));

const element = (className) => {
  const made = document.createElement("div");
  made.className = className;
  return made;
};

const byKey = {
  ArrowRight: STEP, ArrowUp: STEP, ArrowLeft: -STEP, ArrowDown: -STEP,
  PageUp: PAGE, PageDown: -PAGE, Home: -1, End: 1,
};

class Line {
  constructor({ name, axis, label }, faint, themed, say) {
    Object.assign(this, { name, axis, label, faint, themed, say });
    this.handle = element(`qaviz-handle ${axis}`);
    this.handle.textContent = axis === "x" ? "↔" : "↕";
    this.handle.tabIndex = 0;
    this.handle.setAttribute("role", "slider");
    this.handle.setAttribute("aria-label", label);
    this.handle.setAttribute("aria-orientation", axis === "x" ? "horizontal" : "vertical");
    this.handle.setAttribute("aria-valuemin", "0");
    this.handle.setAttribute("aria-valuemax", "1");
    this.going = element(`qaviz-going ${axis}`);
    this.going.hidden = true;
    this.standing = [];
    this.handle.addEventListener("pointerdown", (event) => this.begin(event));
    this.handle.addEventListener("keydown", (event) => this.press(event));
    this.handle.addEventListener("focus", () => (this.keepsFocus = true));
  }

  // What Python judges by; a new one takes the place of what the reader said.
  stand(value) {
    this.value = this.said = this.stood = value;
    this.going.hidden = true;
    if (this.chart) this.drawIn(this.chart);
  }

  // The chart's first panel: where its axes lie, in pixels of the chart.
  drawIn(chart) {
    this.chart = chart;
    const frame = chart.querySelector(".svg-container");
    if (this.handle.parentElement !== frame) frame.append(this.going, this.handle);
    this.drawStanding(frame, Object.values(chart._fullLayout._plots));
    const theme = getComputedStyle(this.themed);
    const { xaxis, yaxis } = chart._fullLayout;
    const [x, y] = this.axis === "x" ? [xaxis.d2p(this.value), 0] : [0, yaxis.d2p(this.value)];
    for (const part of [this.handle, this.going]) {
      part.style.left = `${xaxis._offset + x}px`;
      part.style.top = `${yaxis._offset + y}px`;
      part.style.setProperty("--ink", theme.getPropertyValue("--st-text-color"));
      part.style.setProperty("--paper", theme.getPropertyValue("--st-background-color"));
    }
    this.stretch(this.going, chart._fullLayout);
    this.handle.dataset.said = `${this.label} ${this.value.toFixed(2)}`;
    this.handle.setAttribute("aria-valuenow", this.value.toFixed(2));
    this.focusAgain();
  }

  // A line in each panel, under what plotly writes and the pointer calls up.
  drawStanding(frame, panels) {
    while (this.standing.length > panels.length) this.standing.pop().remove();
    panels.forEach((panel, place) => {
      const line = (this.standing[place] ??= element(`qaviz-threshold ${this.axis}`));
      if (line.parentElement !== frame) frame.insertBefore(line, [...frame.querySelectorAll(":scope > .main-svg")].at(-1));
      const { xaxis, yaxis } = panel;
      line.style.left = `${xaxis._offset + (this.axis === "x" ? xaxis.d2p(this.stood) : 0)}px`;
      line.style.top = `${yaxis._offset + (this.axis === "x" ? 0 : yaxis.d2p(this.stood))}px`;
      line.style.setProperty("--faint", this.faint);
      this.stretch(line, panel);
    });
  }

  stretch(line, { xaxis, yaxis }) {
    line.style.height = this.axis === "x" ? `${yaxis._length}px` : 0;
    line.style.width = this.axis === "x" ? 0 : `${xaxis._length}px`;
  }

  // Where the thresholds change the chart too, Streamlit makes another one, unseen at first, and may take the old one away
  // before, with the handle in it: who moves by keys keeps the focus until they turn to something else.
  focusAgain() {
    if (this.keepsFocus && document.activeElement !== this.handle) this.handle.focus({ preventScroll: true });
  }

  turnedTo(other) {
    if (other !== this.handle) this.keepsFocus = false;
  }

  moveTo(value) {
    this.value = rounded(value);
    this.going.hidden = this.value === this.said;
    this.drawIn(this.chart);
  }

  begin(event) {
    event.preventDefault();
    event.stopPropagation();
    this.handle.focus({ preventScroll: true });
    this.handle.setPointerCapture(event.pointerId);
    this.handle.classList.add("moving");
    const follow = (move) => {
      const frame = this.chart.getBoundingClientRect();
      const { xaxis, yaxis } = this.chart._fullLayout;
      const at = this.axis === "x" ? xaxis.p2d(move.clientX - frame.x - xaxis._offset) : yaxis.p2d(move.clientY - frame.y - yaxis._offset);
      this.moveTo(at);
    };
    const end = () => {
      this.handle.removeEventListener("pointermove", follow);
      this.handle.classList.remove("moving");
      this.tell();
    };
    this.handle.addEventListener("pointermove", follow);
    this.handle.addEventListener("lostpointercapture", end, { once: true });
  }

  press(event) {
    if (!(event.key in byKey)) return;
    event.preventDefault();
    event.stopPropagation();
    this.moveTo(this.value + byKey[event.key]);
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.tell(), PAUSE_MS);
  }

  tell() {
    if (this.value === this.said) return;
    this.said = this.value;
    this.say({ name: this.name, value: this.value });
  }

  remove() {
    clearTimeout(this.pause);
    for (const part of [this.handle, this.going, ...this.standing]) part.remove();
  }
}

const boards = new WeakMap();
const turns = ["focusin", "pointerdown"];

// Called again for new values: the handles stay, and with them the reader's focus.
class Board {
  constructor({ chart, lines, faint }, themed, say) {
    this.selector = `.${chart} .js-plotly-plot`;
    this.lines = lines.map((line) => new Line(line, faint, themed, say));
    this.draw = () => this.lines.forEach((line) => line.drawIn(this.chart));
    // The chart comes later than this, and may be another one later: then the handles move over to it.
    this.watch = new MutationObserver(() => this.find());
    this.watch.observe(document.body, { childList: true, subtree: true });
    this.turn = ({ target }) => this.lines.forEach((line) => line.turnedTo(target));
    for (const turned of turns) document.addEventListener(turned, this.turn, true);
  }

  find() {
    const chart = document.querySelector(this.selector);
    if (chart === this.chart || !chart?._fullLayout?._modeBar) return;
    this.leave();
    this.chart = chart;
    chart.on("plotly_afterplot", this.draw);
    this.draw();
  }

  leave() {
    this.chart?.removeListener?.("plotly_afterplot", this.draw);
  }

  remove() {
    this.watch.disconnect();
    for (const turned of turns) document.removeEventListener(turned, this.turn, true);
    this.leave();
    this.lines.forEach((line) => line.remove());
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  if (!boards.has(parentElement)) {
    boards.set(parentElement, new Board(data, parentElement, (moved) => setTriggerValue("moved", moved)));
  }
  const board = boards.get(parentElement);
  clearTimeout(board.leaving);
  board.lines.forEach((line, place) => line.stand(data.lines[place].value));
  board.find();
  // Streamlit clears up before each new call too: only what is not called again goes.
  return () => {
    board.leaving = setTimeout(() => {
      board.remove();
      boards.delete(parentElement);
    });
  };
}
