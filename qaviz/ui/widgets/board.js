// The board: the matrix of questions and pipelines and the scatter of closeness and conciseness on two canvases, drawn
// from the same columns and linked by one selection. Texts are drawn or set as text; a table behind is read by screen readers.

// Responses above which places are counted on a coarser grid, so that discs do not hide one another.
const MANY = 5000;
const UNSCORED = 65535;
const STEPS = 10000;
const ROW = 20;
const BAND = 5;
const GROUP = 22;
const BANDED_FROM = 2000;
const BANDS = 220;
const DRAG = 6;
const FIGURES = 58;
const MOST_MOVES = 600;
const MOVE_SIGNS = ["↗", "↘", "↖", "↙"];
const QUADRANTS = [[1, 1], [1, 0], [0, 1], [0, 0]];

const number = (value) => value.toLocaleString("en");
const compact = (value) => Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 }).format(value);
// What a newer version of the golden dataset makes of a gap, and, dashed, what edits would that nobody has accepted.
const writeMoved = ({ gap, gapAfter, gapTried }, write) => {
  const now = gapAfter ?? gap;
  return `${now === gap ? "" : `→${write(now)}`}${gapTried === null || gapTried === now ? "" : `⇢${write(gapTried)}`}`;
};
const percent = (part, whole) => (whole ? `${Math.round((100 * part) / whole)}%` : "–");
// As the list below: a range ends before its upper end, unless that is 1.
const within = (value, ends) => !ends || (value !== UNSCORED && value >= ends[0] * STEPS - 0.5 && (ends[1] >= 1 || value < ends[1] * STEPS - 0.5));
const same = (picked, other) => Object.keys(picked).every((name) => String(picked[name]) === String(other[name] ?? ""));
const sameValues = (values, others) => values.length === others?.length && values.every((value, place) => value === others[place]);
const isPicked = (picked) => Object.values(picked).some((value) => value?.length);

// What both a canvas and an SVG are drawn with.
const canvasPen = (pen, font) => ({
  rect(x, y, w, h, fill, alpha = 1) {
    pen.globalAlpha = alpha;
    pen.fillStyle = fill;
    pen.fillRect(x, y, w, h);
  },
  line(x, y, toX, toY, stroke, alpha = 1) {
    pen.globalAlpha = alpha;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(toX, toY);
    pen.strokeStyle = stroke;
    pen.lineWidth = 1.5;
    pen.stroke();
  },
  disc(x, y, radius, fill, alpha = 1, rim = "") {
    pen.globalAlpha = alpha;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fillStyle = fill;
    pen.fill();
    if (rim) {
      pen.strokeStyle = rim;
      pen.lineWidth = 1.5;
      pen.stroke();
    }
  },
  text(text, x, y, { fill, size = 12, weight = 400, align = "left", turned = false, alpha = 1 }) {
    pen.save();
    pen.globalAlpha = alpha;
    pen.font = `${weight} ${size}px ${font}`;
    pen.fillStyle = fill;
    pen.textAlign = align;
    pen.textBaseline = "middle";
    pen.translate(x, y);
    if (turned) pen.rotate(-Math.PI / 2);
    pen.fillText(text, 0, 0);
    pen.restore();
  },
});
const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/[^\P{C}\t\n]/gu, "");
const svgPen = (parts, font) => ({
  rect: (x, y, w, h, fill, alpha = 1) => parts.push(`<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}" fill-opacity="${alpha}"/>`),
  line: (x, y, toX, toY, stroke, alpha = 1) => parts.push(`<line x1="${x}" y1="${y}" x2="${toX}" y2="${toY}" stroke="${stroke}" stroke-opacity="${alpha}" stroke-width="1.5"/>`),
  disc: (x, y, radius, fill, alpha = 1, rim = "none") =>
    parts.push(`<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" fill-opacity="${alpha}" stroke="${rim || "none"}"/>`),
  text: (text, x, y, { fill, size = 12, weight = 400, align = "left", turned = false, alpha = 1 }) =>
    parts.push(
      `<text x="${x}" y="${y}" fill="${fill}" fill-opacity="${alpha}" font-family="${escape(font)}" font-size="${size}" font-weight="${weight}" ` +
        `text-anchor="${{ left: "start", center: "middle", right: "end" }[align]}" dominant-baseline="central"` +
        `${turned ? ` transform="rotate(-90 ${x} ${y})"` : ""}>${escape(text)}</text>`,
    ),
});

const ruler = new OffscreenCanvas(1, 1).getContext("2d");
const fit = (text, width, font, size, weight = 400) => {
  ruler.font = `${weight} ${size}px ${font}`;
  const line = text.replace(/\s+/g, " ").slice(0, 200);
  if (ruler.measureText(line).width <= width) return line;
  let [few, many] = [0, line.length];
  while (few + 1 < many) {
    const half = (few + many) >> 1;
    if (ruler.measureText(`${line.slice(0, half)}…`).width <= width) few = half;
    else many = half;
  }
  return few ? `${line.slice(0, few)}…` : "";
};

// As `fit`, from the middle: names of one family differ at their ends.
const fitMiddle = (text, width, font, size, weight) => {
  if (fit(text, width, font, size, weight) === text) return text;
  for (let kept = text.length - 1; kept > 2; kept -= 1) {
    const start = Math.floor(kept * 0.4);
    const cut = `${text.slice(0, start)}…${text.slice(start - kept)}`;
    if (ruler.measureText(cut).width <= width) return cut;
  }
  return fit(text, width, font, size, weight);
};

// The places, those nearer than `room` pushed apart.
const spread = (places, room) => {
  const spots = places.map((place) => place && [...place]);
  for (let round = 0; round < 80; round += 1) {
    for (let i = 1; i < spots.length; i += 1) {
      for (let j = 0; j < i; j += 1) {
        if (!spots[i] || !spots[j]) continue;
        const [x, y] = [spots[i][0] - spots[j][0], spots[i][1] - spots[j][1]];
        const far = Math.hypot(x, y);
        if (far >= room) continue;
        // Two at one place part at an angle of their own.
        const [along, up] = far > 0.5 ? [x / far, y / far] : [Math.cos(i), Math.sin(i)];
        const push = (room - far) / 2;
        spots[i] = [spots[i][0] + along * push, spots[i][1] + up * push];
        spots[j] = [spots[j][0] - along * push, spots[j][1] - up * push];
      }
    }
  }
  return spots;
};

class Board {
  constructor(root, host) {
    Object.assign(this, { root, host, zoom: null, cursor: null, drag: null, picked: {}, hot: "" });
    root.replaceChildren();
    this.chips = element("div", "chips");
    this.chips.setAttribute("role", "toolbar");
    this.chips.setAttribute("aria-label", "Diagnoses in the selection");
    this.moves = element("div", "chips");
    this.moves.setAttribute("role", "toolbar");
    this.moves.setAttribute("aria-label", "Moves from one pipeline to the other");
    this.matrix = this.makeCanvas("matrix", "Questions by pipelines");
    this.scatter = this.makeCanvas("scatter", "Closeness and conciseness");
    this.tip = element("div", "tip");
    this.live = element("p", "unseen");
    this.live.setAttribute("aria-live", "polite");
    const behind = element("div", "unseen");
    this.table = element("table");
    behind.append(this.table);
    const charts = element("div", "charts");
    charts.append(this.matrix.frame, this.scatter.frame);
    root.append(this.chips, this.moves, charts, this.tip, this.live, behind);
    this.matrix.scroller.addEventListener("scroll", () => this.drawMatrix());
    new ResizeObserver(() => this.draw()).observe(root);
    this.listen();
  }

  makeCanvas(name, label) {
    const frame = element("section", name);
    frame.setAttribute("aria-label", label);
    const heading = element("header");
    const title = element("h3", "", label);
    const tools = element("span", "tools");
    for (const kind of ["PNG", "SVG"]) {
      const button = element("button", "tool", kind);
      button.setAttribute("aria-label", `${label} as ${kind}`);
      button.addEventListener("click", () => this.save(name, kind));
      tools.append(button);
    }
    const back = element("button", "tool back", "← all questions");
    back.hidden = true;
    back.addEventListener("click", () => this.zoomTo(null));
    tools.prepend(back);
    heading.append(title, tools);
    const scroller = element("div", "scroller");
    const canvas = element("canvas");
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", name === "matrix" ? `${label}: arrow keys walk the cells, Enter opens one, Escape clears` : `${label}: drag to select`);
    const spacer = element("div", "spacer");
    scroller.append(canvas, spacer);
    frame.append(heading, scroller);
    return { frame, title, back, scroller, canvas, spacer };
  }

  show(data, send) {
    const column = (name) => data.table.getChild(name).toArray();
    const numbers = { cells: column("cell"), stated: column("stated"), x: column("x"), y: column("y") };
    const { picked } = data;
    const print = JSON.stringify({ ...data, table: null, picked: null });
    // The answer to a selection is the selection: it is drawn already.
    const isDrawn = print === this.print && same(picked, this.picked) && Object.entries(numbers).every(([name, values]) => sameValues(values, this[name]));
    Object.assign(this, { data, send, print, columns: data.pipelines.length, ...numbers });
    if (isDrawn) return;
    this.looks = data.mode === "FMEval" ? data.stated : data.looks;
    this.classes = data.mode === "FMEval" ? this.stated : this.cells;
    this.starts = [];
    data.groups.reduce((from, group) => (this.starts.push(from), from + group.questions), 0);
    this.root.dataset.view = data.view;
    this.select(picked);
    this.fillTable();
  }

  // Whether each cell is in the selection; and what stands in chips, quadrants and bands.
  select(picked) {
    this.picked = picked;
    const { columns, cells, classes, x, y } = this;
    const rows = picked.rows?.length ? picked.rows : null;
    const wanted = (name) => (picked[name]?.length ? new Set(picked[name]) : null);
    const [kinds, groups, pipelines] = [wanted("cells"), wanted("groups"), wanted("pipelines")];
    const close = picked.closeness?.length ? picked.closeness : null;
    const concise = picked.conciseness?.length ? picked.conciseness : null;
    // From the lower of two pipelines to the higher: what the better one does otherwise.
    this.pair = picked.pipelines?.length === 2 ? [Math.max(...picked.pipelines), Math.min(...picked.pipelines)] : null;
    const moves = this.pair && wanted("moves");
    this.moveCounts = new Uint32Array(MOVE_SIGNS.length);
    const on = (this.on = new Uint8Array(cells.length));
    const [counts, all] = [new Uint32Array(this.looks.length), new Uint32Array(this.looks.length)];
    let group = -1;
    for (let row = 0, i = 0; row < this.data.questions; row += 1) {
      while (group + 1 < this.starts.length && this.starts[group + 1] <= row) group += 1;
      let inside = (!rows || (row >= rows[0] && row <= rows[1])) && (!groups || groups.has(group));
      const move = this.pair && inside ? this.findMove(row) : -1;
      if (move >= 0) this.moveCounts[move] += 1;
      inside &&= !moves || moves.has(move);
      for (let column = 0; column < columns; column += 1, i += 1) {
        all[classes[i]] += 1;
        if (!inside || (kinds && !kinds.has(cells[i])) || (pipelines && !pipelines.has(column))) continue;
        if (!within(x[i], close) || !within(y[i], concise)) continue;
        on[i] = 1;
        counts[classes[i]] += 1;
      }
    }
    Object.assign(this, { counts, all });
    this.layOut();
    this.drawChips();
    this.drawMoveChips();
    this.draw();
  }

  // The place among `data.moves`; -1 where one of the two is not scored or both stand at one place.
  findMove(row) {
    const [from, to] = this.pair.map((column) => row * this.columns + column);
    if ([this.x[from], this.x[to], this.y[from], this.y[to]].includes(UNSCORED)) return -1;
    const [x, y] = [this.x[to] - this.x[from], this.y[to] - this.y[from]];
    return x || y ? (x >= 0 ? 0 : 2) + (y >= 0 ? 0 : 1) : -1;
  }

  pick(change) {
    this.select({ ...this.picked, ...change });
    this.send("picked", this.picked);
  }

  toggle(name, value) {
    const own = this.picked[name] ?? [];
    this.pick({ [name]: own.includes(value) ? own.filter((one) => one !== value) : [...own, value], ...(name === "pipelines" && { moves: [] }) });
  }

  clear() {
    if (this.zoom) return this.zoomTo(null);
    if (isPicked(this.picked)) this.pick({ cells: [], groups: [], pipelines: [], rows: [], moves: [], closeness: [], conciseness: [] });
  }

  zoomTo(rows) {
    this.zoom = rows;
    this.matrix.scroller.scrollTop = 0;
    this.layOut();
    this.draw();
  }

  // The lines of the matrix: a heading a group, then its questions, or bands of them where they are many.
  layOut() {
    const [first, last] = this.zoom ?? [0, this.data.questions - 1];
    const size = last - first + 1 > BANDED_FROM ? Math.ceil((last - first + 1) / BANDS) : 1;
    this.lines = [];
    let y = 0;
    this.data.groups.forEach((group, place) => {
      const [from, to] = [Math.max(first, this.starts[place]), Math.min(last, this.starts[place] + group.questions - 1)];
      if (from > to) return;
      this.lines.push({ y, height: GROUP, group: place });
      y += GROUP;
      for (let at = from; at <= to; at += size) {
        const height = size > 1 ? BAND : ROW;
        this.lines.push({ y, height, from: at, to: Math.min(to, at + size - 1), group: place });
        y += height;
      }
    });
    this.tall = y;
    this.bands = size > 1 ? this.lines.map((line) => (line.from === undefined ? null : this.countBand(line))) : null;
    this.matrix.back.hidden = !this.zoom;
  }

  countBand({ from, to }) {
    const kinds = this.looks.length;
    const counts = new Uint32Array(this.columns * kinds * 2);
    for (let i = from * this.columns; i < (to + 1) * this.columns; i += 1)
      counts[((i % this.columns) * kinds + this.classes[i]) * 2 + this.on[i]] += 1;
    return counts;
  }

  drawChips() {
    const some = isPicked(this.picked);
    const focused = this.root.getRootNode().activeElement?.dataset.look;
    const chips = this.looks.map((look, place) => {
      const chip = element("button", "chip");
      chip.dataset.look = place;
      const sign = element("span", "sign", look.glyph || "\u00a0");
      sign.style.background = look.colour;
      chip.append(sign, ` ${look.name} `, element("b", "", some ? `${number(this.counts[place])} / ${number(this.all[place])}` : number(this.all[place])));
      chip.title = look.title;
      chip.disabled = this.data.mode === "FMEval";
      chip.setAttribute("aria-pressed", String(Boolean(this.picked.cells?.includes(place)) && !chip.disabled));
      chip.addEventListener("click", () => this.toggle("cells", place));
      return chip;
    });
    const clear = element("button", "chip clear", "Clear selection ✕");
    clear.addEventListener("click", () => this.clear());
    clear.hidden = !some;
    this.chips.replaceChildren(...chips.filter((_, place) => this.all[place]), clear);
    if (focused !== undefined) this.chips.querySelector(`[data-look="${focused}"]`)?.focus();
  }

  drawMoveChips() {
    this.moves.hidden = !this.pair;
    if (!this.pair) return this.moves.replaceChildren();
    const [from, to] = this.pair.map((column) => `${column + 1} ${this.data.pipelines[column].short}`);
    const chips = this.data.moves.map((name, place) => {
      const chip = element("button", "chip", `${MOVE_SIGNS[place]} ${name} `);
      chip.append(element("b", "", number(this.moveCounts[place])));
      chip.setAttribute("aria-pressed", String(Boolean(this.picked.moves?.includes(place))));
      chip.addEventListener("click", () => this.toggle("moves", place));
      return chip;
    });
    this.moves.replaceChildren(element("span", "", `From ${from} to ${to}:`), ...chips);
  }

  draw() {
    const style = getComputedStyle(this.host);
    const own = (name) => style.getPropertyValue(name).trim();
    this.font = own("--st-font") || "sans-serif";
    Object.assign(this, { ink: own("--st-text-color"), paper: own("--st-background-color"), line: own("--st-border-color"), accent: own("--st-primary-color") });
    this.drawMatrix();
    this.drawScatter();
  }

  // Where things stand in the matrix: the first column has the questions, the head stays in sight.
  measure(width) {
    const narrow = width < 520;
    const column = Math.min(110, Math.max(narrow ? 26 : 22, Math.floor((width * 0.6) / this.columns)));
    const left = Math.round(Math.max(narrow ? 112 : 180, Math.min(width - column * this.columns - 2, 520)));
    const turned = column < 70;
    const names = turned ? 132 : 24;
    return { left, column, turned, names, head: names + FIGURES, width: Math.max(width, left + column * this.columns + 2), facts: !narrow && left > 330 };
  }

  drawMatrix() {
    const { scroller, canvas, spacer, frame } = this.matrix;
    const width = scroller.clientWidth;
    if (!width || !this.data || frame.offsetParent === null) return;
    const size = (this.size = this.measure(width));
    const height = Math.min(this.tall + size.head + 2, scroller.clientHeight);
    spacer.style.height = `${Math.max(0, this.tall + size.head + 2 - height)}px`;
    spacer.style.width = `${size.width}px`;
    const pen = prepare(canvas, width, height);
    this.paintMatrix(canvasPen(pen, this.font), size, scroller.scrollTop, scroller.scrollLeft, height, width);
  }

  paintMatrix(pen, size, top, across, height, width) {
    const { left, column, head } = size;
    pen.rect(0, 0, width, height, this.paper);
    for (const [place, line] of this.lines.entries()) {
      const y = line.y + head - top;
      if (y + line.height < head || y > height) continue;
      if (line.from === undefined) this.paintGroup(pen, line, y, size, width);
      else if (this.bands) this.paintBand(pen, this.bands[place], line, y, size, across);
      else this.paintRow(pen, line, y, size, across);
    }
    this.paintHead(pen, size, across, width);
    if (this.cursor && this.host.getRootNode().activeElement !== null) {
      const line = this.lines.find((one) => one.from !== undefined && one.from <= this.cursor[0] && this.cursor[0] <= one.to);
      if (line && line.y - top >= 0) outline(pen, left + this.cursor[1] * column - across, line.y + head - top, column, line.height, this.ink);
    }
    if (this.drag?.chart === "matrix" && this.drag.moved) {
      const [from, to] = [this.drag.from, this.drag.to].sort((a, b) => a - b);
      pen.rect(0, from, width, to - from, this.accent, 0.2);
    }
  }

  paintGroup(pen, line, y, size, width) {
    const group = this.data.groups[line.group];
    pen.rect(0, y, width, GROUP, this.ink, this.picked.groups?.includes(line.group) ? 0.18 : 0.07);
    const words = `${group.name} · ${number(group.questions)} (${percent(group.questions, this.data.questions)})`;
    pen.text(fit(`${words}   ${group.title}`, width - 12, this.font, 12), 6, y + GROUP / 2, { fill: this.ink, size: 12, weight: 600 });
  }

  paintRow(pen, line, y, { left, column, facts }, across) {
    for (let j = 0; j < this.columns; j += 1) {
      const [x, i] = [left + j * column - across, line.from * this.columns + j];
      if (x + column < left) continue;
      const look = this.looks[this.classes[i]];
      pen.rect(x + 1, y + 1, column - 2, ROW - 2, look.colour, this.on[i] ? 1 : 0.16);
      if (look.glyph) pen.text(look.glyph, x + column / 2, y + ROW / 2 + 0.5, { fill: this.on[i] ? this.data.ink : this.ink, size: look.glyph.length > 1 ? 10 : 12, weight: 700, align: "center", alpha: this.on[i] ? 1 : 0.45 });
    }
    const texts = this.data.texts?.[line.from] ?? [`Question ${number(line.from + 1)}`, "", ""];
    const some = this.on.subarray(line.from * this.columns, (line.from + 1) * this.columns).some(Boolean);
    pen.rect(0, y, left - 2, ROW, this.paper);
    const room = facts ? (left - 16) * 0.66 : left - 10;
    pen.text(fit(texts[0], room, this.font, 12), 4, y + ROW / 2, { fill: this.ink, alpha: some ? 1 : 0.45 });
    if (facts) pen.text(fit(texts[2] || texts[1], left - room - 20, this.font, 12), room + 12, y + ROW / 2, { fill: this.ink, alpha: some ? 0.75 : 0.4 });
  }

  paintBand(pen, counts, line, y, { left, column }, across) {
    const kinds = this.looks.length;
    const many = line.to - line.from + 1;
    for (let j = 0; j < this.columns; j += 1) {
      let x = left + j * column - across + 1;
      for (let kind = 0; kind < kinds; kind += 1) {
        for (const on of [1, 0]) {
          const wide = (counts[(j * kinds + kind) * 2 + on] / many) * (column - 2);
          if (!wide) continue;
          if (x + wide > left) pen.rect(x, y, wide + 0.3, line.height, this.looks[kind].colour, on ? 1 : 0.14);
          x += wide;
        }
      }
    }
    pen.rect(0, y, left - 2, line.height, this.paper);
  }

  paintHead(pen, { left, column, turned, names, head }, across, width) {
    pen.rect(0, 0, width, head, this.paper);
    this.data.pipelines.forEach((pipeline, j) => {
      const x = left + j * column - across;
      if (x + column < left) return;
      const middle = x + column / 2;
      const alpha = !this.picked.pipelines?.length || this.picked.pipelines.includes(j) ? 1 : 0.4;
      const name = fitMiddle(`${j + 1} ${pipeline.short}`, turned ? names - 8 : column - 6, this.font, 12, 600);
      if (turned) pen.text(name, middle, names - 2, { fill: this.ink, weight: 600, turned, alpha });
      else pen.text(name, middle, names / 2, { fill: this.ink, weight: 600, align: "center", alpha });
      const small = column < 34;
      const short = (share) => (share === null ? "–" : small ? String(Math.round(share * 100)) : percent(share, 1));
      // Counts where they fit beside one another, else shares.
      const counted = (text, share, weight) => fit(text, column - 8, this.font, 13, weight) === text ? text : short(share);
      pen.text(counted(pipeline.right, pipeline.share, 700), middle, names + 9, { fill: this.ink, size: small ? 12 : 13, weight: 700, align: "center", alpha });
      pen.rect(x + 3, names + 18, column - 6, 4, this.line, 0.9);
      if (pipeline.low !== null) pen.rect(x + 3 + pipeline.low * (column - 6), names + 18, Math.max(2, (pipeline.high - pipeline.low) * (column - 6)), 4, this.accent, alpha);
      // A tick in the bar: the gap between what is right and what is credited is seen before it is read.
      if (pipeline.factShare !== null) pen.rect(x + 2 + pipeline.factShare * (column - 6), names + 15, 2, 10, this.ink, alpha);
      pen.text(counted(pipeline.facts, pipeline.factShare, 400), middle, names + 32, { fill: this.ink, align: "center", alpha: alpha * 0.8 });
      const plain = column >= 44 ? number : compact;
      const moved = writeMoved(pipeline, plain);
      const gap = small && moved ? moved : `${pipeline.gap && !small ? "+" : ""}${plain(pipeline.gap)}${moved}`;
      pen.text(gap, middle, names + 48, { fill: this.ink, weight: pipeline.gap ? 700 : 400, align: "center", alpha });
    });
    pen.rect(0, 0, left - 2, head, this.paper);
    const narrow = left < 200;
    const words = [[narrow ? "Right" : column < 34 ? "Right answers, %, with 95% interval" : "Right answers, with 95% interval", 9], [narrow ? "FMEval" : column < 34 ? "Factual Knowledge (FMEval), %" : "Factual Knowledge (FMEval)", 32], [narrow ? "Not credited" : "Right, not credited: the gap", 48]];
    for (const [text, at] of words) pen.text(text, left - 8, names + at, { fill: this.ink, size: 12, weight: at === 9 ? 700 : 400, align: "right" });
    pen.rect(0, head - 1, width, 1, this.line);
  }

  drawScatter() {
    const { scroller, canvas, frame } = this.scatter;
    const width = scroller.clientWidth;
    if (!width || !this.data || frame.offsetParent === null) return;
    const height = Math.round(Math.min(width * 0.95, scroller.clientHeight || 480));
    this.plot = { left: 48, top: 22, wide: width - 60, high: height - 58 };
    const pen = prepare(canvas, width, height);
    this.paintScatter(canvasPen(pen, this.font), width, height);
  }

  paintScatter(pen, width, height) {
    const { left, top, wide, high } = this.plot;
    const { close, concise } = this.data.thresholds;
    const at = (x, y) => [left + x * wide, top + (1 - y) * high];
    pen.rect(0, 0, width, height, this.paper);
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const [x, y] = at(share, share);
      pen.rect(x, top, 1, high, this.line, 0.5);
      pen.rect(left, y, wide, 1, this.line, 0.5);
      pen.text(String(share), x, top + high + 10, { fill: this.ink, size: 11, align: "center", alpha: 0.75 });
      pen.text(String(share), left - 5, y, { fill: this.ink, size: 11, align: "right", alpha: 0.75 });
    }
    pen.text("closeness: of the golden answer's words (recall) →", left + wide / 2, top + high + 26, { fill: this.ink, size: 12, align: "center" });
    pen.text("conciseness (precision) →", 9, top + high, { fill: this.ink, size: 12, turned: true });
    if (this.pair) this.paintMoves(pen, at);
    else this.paintPoints(pen, at);
    const [lineX, lineY] = at(close, concise);
    pen.rect(lineX, top, 1.5, high, this.ink, 0.7);
    pen.rect(left, lineY, wide, 1.5, this.ink, 0.7);
    this.paintMeans(pen, at);
    const counts = this.countQuadrants();
    QUADRANTS.forEach(([isClose, isConcise], place) => {
      const x = isClose ? left + wide - 3 : left + 3;
      const y = isConcise ? top - 10 : top + high - 10;
      const text = `${this.data.quadrants[place].name} · ${number(counts[place])}`;
      ruler.font = `600 12px ${this.font}`;
      const long = Math.min(wide / 2 - 4, ruler.measureText(text).width + 6);
      if (!isConcise) pen.rect(isClose ? x - long + 3 : x - 3, y - 9, long, 18, this.paper, 0.85);
      pen.text(fit(text, wide / 2 - 6, this.font, 12, 600), x, y, { fill: this.ink, weight: 600, align: isClose ? "right" : "left" });
    });
    if (this.drag?.chart === "scatter" && this.drag.moved) {
      const { start, end } = this.drag;
      pen.rect(Math.min(start[0], end[0]), Math.min(start[1], end[1]), Math.abs(end[0] - start[0]), Math.abs(end[1] - start[1]), this.accent, 0.2);
    }
  }

  // A line a question, from one pipeline's place to a disc at the other's; of many questions a sample, evenly.
  paintMoves(pen, at) {
    const rows = [];
    for (let row = 0; row < this.data.questions; row += 1) if (this.findMove(row) >= 0 && this.on[row * this.columns + this.pair[1]]) rows.push(row);
    const step = Math.ceil(rows.length / MOST_MOVES);
    for (let place = 0; place < rows.length; place += step) {
      const [from, to] = this.pair.map((column) => rows[place] * this.columns + column);
      const [start, end] = [from, to].map((i) => at(this.x[i] / STEPS, this.y[i] / STEPS));
      const { colour } = this.looks[this.classes[to]];
      pen.line(...start, ...end, colour, 0.5);
      pen.disc(...end, 3.5, colour, 0.9);
    }
  }

  // One disc a place, its area the number of responses; of several classes the larger lie under the smaller.
  paintPoints(pen, at) {
    const grid = this.cells.length > MANY ? 50 : 200;
    const kinds = this.looks.length;
    const places = new Map();
    for (let i = 0; i < this.cells.length; i += 1) {
      if (this.x[i] === UNSCORED || this.y[i] === UNSCORED) continue;
      const key = Math.round((this.x[i] / STEPS) * grid) * (grid + 1) + Math.round((this.y[i] / STEPS) * grid);
      let counts = places.get(key);
      if (!counts) places.set(key, (counts = new Uint32Array(kinds + 1)));
      counts[this.on[i] ? this.classes[i] : kinds] += 1;
    }
    const total = (counts) => counts.reduce((sum, n) => sum + n, 0);
    // Of many responses the fullest place sets the size, so that its neighbours stay in sight.
    const fullest = Math.max(1, ...[...places.values()].map(total));
    const unit = this.cells.length > MANY ? Math.min(1.2, 12 / Math.sqrt(fullest)) : this.cells.length > 500 ? 2.6 : 4.5;
    for (const [key, counts] of places) {
      const [x, y] = at(Math.floor(key / (grid + 1)) / grid, (key % (grid + 1)) / grid);
      const order = [...counts.keys()].filter((kind) => counts[kind]).sort((a, b) => counts[b] - counts[a]);
      let left = total(counts);
      for (const kind of order) {
        const off = kind === kinds;
        pen.disc(x, y, Math.max(0.8, Math.min(24, unit * Math.sqrt(left))), off ? this.line : this.looks[kind].colour, off ? 0.7 : 0.85);
        left -= counts[kind];
      }
    }
  }

  // The number of a pipeline's column stands at the mean of its selected responses; intervals stand in the table below.
  paintMeans(pen, at) {
    const sums = Array.from({ length: this.columns }, () => [0, 0, 0]);
    for (let i = 0; i < this.cells.length; i += 1) {
      if (!this.on[i] || this.x[i] === UNSCORED || this.y[i] === UNSCORED) continue;
      const sum = sums[i % this.columns];
      sum[0] += this.x[i];
      sum[1] += this.y[i];
      sum[2] += 1;
    }
    const means = sums.map(([x, y, n]) => (n ? at(x / n / STEPS, y / n / STEPS) : null));
    this.means = spread(means, 19);
    for (let j = this.columns - 1; j >= 0; j -= 1) {
      if (!this.means[j]) continue;
      const [x, y] = this.means[j];
      // A number that had to give way leaves a dot at its mean.
      if (Math.hypot(x - means[j][0], y - means[j][1]) > 4) pen.disc(...means[j], 3, this.ink, 1, this.paper);
      pen.disc(x, y, 8.5, this.paper, 1, this.ink);
      pen.text(String(j + 1), x, y + 0.5, { fill: this.ink, size: 11, weight: 700, align: "center" });
    }
  }

  countQuadrants() {
    const { close, concise } = this.data.thresholds;
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < this.cells.length; i += 1) {
      if (!this.on[i] || this.x[i] === UNSCORED || this.y[i] === UNSCORED) continue;
      counts[(this.x[i] >= close * STEPS - 0.5 ? 0 : 2) + (this.y[i] >= concise * STEPS - 0.5 ? 0 : 1)] += 1;
    }
    return counts;
  }

  listen() {
    const { canvas } = this.matrix;
    canvas.addEventListener("pointermove", (event) => this.hover(event));
    for (const chart of ["matrix", "scatter"]) {
      const own = this[chart].canvas;
      own.addEventListener("pointerdown", (event) => this.begin(chart, event));
      own.addEventListener("pointermove", (event) => this.move(event));
      own.addEventListener("pointerup", (event) => this.end(event));
      own.addEventListener("pointercancel", () => (this.drag = null));
      own.addEventListener("pointerleave", () => (this.tip.hidden = true));
      own.addEventListener("blur", () => (this.tip.hidden = true));
    }
    this.scatter.canvas.addEventListener("pointermove", (event) => this.hoverScatter(event));
    this.root.addEventListener("keydown", (event) => this.press(event));
  }

  begin(chart, event) {
    if (event.button || event.pointerType === "touch" && chart === "matrix") {
      this.drag = { chart, start: [event.offsetX, event.offsetY], end: [event.offsetX, event.offsetY], touch: true };
      return;
    }
    const place = [event.offsetX, event.offsetY];
    this.drag = { chart, start: place, end: place, from: place[1], to: place[1] };
    this[chart].canvas.setPointerCapture(event.pointerId);
  }

  move(event) {
    if (!this.drag || this.drag.touch) return;
    this.drag.end = [event.offsetX, event.offsetY];
    this.drag.to = event.offsetY;
    this.drag.moved ||= Math.hypot(this.drag.end[0] - this.drag.start[0], this.drag.end[1] - this.drag.start[1]) > DRAG;
    if (this.drag.moved) this.drag.chart === "matrix" ? this.drawMatrix() : this.drawScatter();
  }

  end(event) {
    const drag = this.drag;
    this.drag = null;
    if (!drag) return;
    if (drag.chart === "matrix") drag.moved ? this.brushRows(drag) : this.click(event);
    else drag.moved ? this.brushBox(drag) : this.clickScatter(event);
  }

  brushRows({ from, to }) {
    const lines = [Math.min(from, to), Math.max(from, to)].map((y) => this.lineAt(y));
    const inside = this.lines.filter((line) => line.from !== undefined && lines[0] && lines[1] && line.y >= lines[0].y && line.y <= lines[1].y);
    if (inside.length) this.pick({ rows: [inside[0].from, inside.at(-1).to] });
    else this.drawMatrix();
  }

  brushBox({ start, end }) {
    const { left, top, wide, high } = this.plot;
    const share = (value) => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;
    const sorted = (a, b) => [share(a), share(b)].sort((one, other) => one - other);
    this.pick({
      closeness: sorted((start[0] - left) / wide, (end[0] - left) / wide),
      conciseness: sorted(1 - (start[1] - top) / high, 1 - (end[1] - top) / high),
    });
  }

  clickScatter({ offsetX, offsetY }) {
    const near = this.means?.findIndex((mean) => mean && Math.hypot(mean[0] - offsetX, mean[1] - offsetY) < 9);
    if (near >= 0) return this.toggle("pipelines", near);
    const { left, top, wide, high } = this.plot;
    const { close, concise } = this.data.thresholds;
    const [isClose, isConcise] = [(offsetX - left) / wide >= close, 1 - (offsetY - top) / high >= concise];
    const box = { closeness: isClose ? [close, 1] : [0, close], conciseness: isConcise ? [concise, 1] : [0, concise] };
    const same = String(this.picked.closeness) === String(box.closeness) && String(this.picked.conciseness) === String(box.conciseness);
    this.pick(same ? { closeness: [], conciseness: [] } : box);
  }

  lineAt(y) {
    const at = y - this.size.head + this.matrix.scroller.scrollTop;
    return this.lines.find((line) => at >= line.y && at < line.y + line.height) ?? (at >= this.tall ? this.lines.at(-1) : null);
  }

  columnAt(x) {
    if (x < this.size.left) return -1;
    const place = Math.floor((x - this.size.left + this.matrix.scroller.scrollLeft) / this.size.column);
    return place < this.columns ? place : -1;
  }

  click({ offsetX, offsetY }) {
    const column = this.columnAt(offsetX);
    if (offsetY < this.size.head) return column >= 0 ? this.toggle("pipelines", column) : undefined;
    const line = this.lineAt(offsetY);
    if (!line) return;
    if (line.from === undefined) this.toggle("groups", line.group);
    else if (line.to > line.from) this.zoomTo([line.from, line.to]);
    else this.open(line.from, Math.max(0, column));
  }

  open(row, column) {
    this.send("opened", { row, column });
  }

  say(row, column) {
    const texts = this.data.texts?.[row] ?? [`Question ${number(row + 1)}`, "", ""];
    const look = this.looks[this.classes[row * this.columns + column]];
    return { texts, lead: `${this.data.pipelines[column].name}: ${look.name}` };
  }

  hover({ offsetX, offsetY, pointerType }) {
    if (this.drag?.moved || pointerType === "touch") return (this.tip.hidden = true);
    const column = this.columnAt(offsetX);
    if (offsetY < this.size.head) {
      const pipeline = this.data.pipelines[column];
      return pipeline ? this.showTip("matrix", offsetX, offsetY, pipeline.name, pipeline.lines) : (this.tip.hidden = true);
    }
    const line = this.lineAt(offsetY);
    if (!line || line.from === undefined) return (this.tip.hidden = true);
    if (line.to > line.from) {
      const counts = this.bands[this.lines.indexOf(line)];
      const kinds = this.looks.length;
      const shares = column < 0 ? [] : this.looks.map((look, kind) => [look, counts[(column * kinds + kind) * 2] + counts[(column * kinds + kind) * 2 + 1]]).filter(([, n]) => n);
      const lines = [...shares.map(([look, n]) => `${look.glyph} ${look.name}: ${number(n)}`), "Click to open this band."];
      return this.showTip("matrix", offsetX, offsetY, `Questions ${number(line.from + 1)} to ${number(line.to + 1)}`, lines);
    }
    const { texts, lead } = this.say(line.from, Math.max(0, column));
    const lines = [texts[0], texts[1] && `Golden answer: ${texts[1]}`, texts[2] && `Fact: ${texts[2]}`].filter(Boolean);
    return column < 0 ? this.showTip("matrix", offsetX, offsetY, lines[0], lines.slice(1)) : this.showTip("matrix", offsetX, offsetY, lead, lines);
  }

  hoverScatter({ offsetX, offsetY }) {
    const near = this.means?.findIndex((mean) => mean && Math.hypot(mean[0] - offsetX, mean[1] - offsetY) < 9) ?? -1;
    if (near < 0 || this.drag?.moved) return (this.tip.hidden = true);
    return this.showTip("scatter", offsetX, offsetY, this.data.pipelines[near].name, ["Mean of the selected responses."]);
  }

  showTip(chart, x, y, lead, lines) {
    this.tip.replaceChildren(element("b", "", lead), ...lines.map((line) => element("span", "", line)));
    this.tip.hidden = false;
    const [frame, canvas] = [this.root.getBoundingClientRect(), this[chart].canvas.getBoundingClientRect()];
    const [left, top] = [canvas.x - frame.x + x, canvas.y - frame.y + y];
    this.tip.style.left = `${Math.max(0, Math.min(left + 14, frame.width - this.tip.offsetWidth - 4))}px`;
    this.tip.style.top = `${top + 18}px`;
  }

  press(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (event.key === "Escape" && (this.zoom || isPicked(this.picked))) {
      event.stopPropagation();
      return this.clear();
    }
    if (event.target !== this.matrix.canvas) return;
    const lines = this.lines.filter((line) => line.from !== undefined);
    const place = this.cursor ? lines.findIndex((line) => line.from <= this.cursor[0] && this.cursor[0] <= line.to) : 0;
    if (event.key === "Enter" && this.cursor && place >= 0) {
      const line = lines[place];
      return line.to > line.from ? this.zoomTo([line.from, line.to]) : this.open(...this.cursor);
    }
    const step = steps[event.key];
    if (!step || !lines.length) return;
    event.preventDefault();
    event.stopPropagation();
    const next = lines[Math.min(lines.length - 1, Math.max(0, place + (this.cursor ? step[0] : 0)))];
    this.cursor = [next.from, Math.min(this.columns - 1, Math.max(0, (this.cursor?.[1] ?? 0) + step[1]))];
    const { scroller } = this.matrix;
    if (next.y < scroller.scrollTop) scroller.scrollTop = next.y - GROUP;
    const room = scroller.clientHeight - this.size.head - next.height;
    if (next.y - scroller.scrollTop > room) scroller.scrollTop = next.y - room;
    this.drawMatrix();
    const { texts, lead } = this.say(...this.cursor);
    this.live.textContent = next.to > next.from ? `Questions ${next.from + 1} to ${next.to + 1}` : `${lead}. ${texts[0]}`;
  }

  fillTable() {
    const heads = ["Pipeline", "Right answers", "Factual Knowledge", "Right, not credited"];
    const row = (cells, kind) => {
      const made = element("tr");
      made.append(...cells.map((cell, place) => element(kind || !place ? "th" : "td", "", cell)));
      return made;
    };
    const body = this.data.pipelines.map((pipeline) => row([pipeline.name, pipeline.right, pipeline.facts, number(pipeline.gap) + writeMoved(pipeline, number)]));
    this.table.replaceChildren(element("caption", "", "The matrix by pipeline"), row(heads, "th"), ...body);
  }

  // A picture on the page's own ground; the matrix whole, however it is scrolled.
  save(name, kind) {
    const { canvas, scroller } = this[name];
    const width = name === "matrix" ? this.measure(scroller.clientWidth).width : canvas.clientWidth;
    const height = name === "matrix" ? Math.min(this.tall + this.size.head + 2, 12000) : canvas.clientHeight;
    const paint = (pen) => (name === "matrix" ? this.paintMatrix(pen, this.size, 0, 0, height, width) : this.paintScatter(pen, width, height));
    if (kind === "SVG") {
      const parts = [];
      paint(svgPen(parts, this.font));
      const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`;
      return download(new Blob([open, ...parts, "</svg>"], { type: "image/svg+xml" }), `${this.data.file}_${name}.svg`);
    }
    const picture = element("canvas");
    paint(canvasPen(prepare(picture, width, height, 2), this.font));
    picture.toBlob((blob) => download(blob, `${this.data.file}_${name}.png`));
  }
}

const prepare = (canvas, width, height, ratio = devicePixelRatio || 1) => {
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
};

const outline = (pen, x, y, wide, high, fill) => {
  for (const [left, top, w, h] of [[x, y, wide, 2], [x, y + high - 2, wide, 2], [x, y, 2, high], [x + wide - 2, y, 2, high]]) pen.rect(left, top, w, h, fill);
};

const download = (blob, name) => {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

const boards = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".board");
  if (!boards.has(root)) boards.set(root, new Board(root, parentElement.host));
  boards.get(root).show(data, setTriggerValue);
  // What stands below is hidden until then: see first_paint.css.
  parentElement.host.dataset.drawn = "";
}
