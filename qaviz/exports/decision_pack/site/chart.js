// Draws responses by closeness and conciseness on a canvas: points, or tiles where there are too many of them.

const side = { left: 58, right: 52, top: 14, bottom: 46 };
const low = -0.03;
const high = 1.03;
const reach = 14;
const equalF1 = [0.2, 0.4, 0.6, 0.8];
const tilesAbove = 20000;
const tiles = 40;
const around = (corners, from = -90) =>
  corners.map((radius, i) => {
    const angle = ((from + (360 / corners.length) * i) * Math.PI) / 180;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
const cross = [[-0.35, -1], [0.35, -1], [0.35, -0.35], [1, -0.35], [1, 0.35], [0.35, 0.35], [0.35, 1], [-0.35, 1], [-0.35, 0.35], [-1, 0.35], [-1, -0.35], [-0.35, -0.35]];
const outlines = {
  circle: null,
  diamond: around([1.15, 1.15, 1.15, 1.15]),
  square: around([1.2, 1.2, 1.2, 1.2], -45),
  "triangle-up": around([1.25, 1.25, 1.25]),
  "triangle-down": around([1.25, 1.25, 1.25], 90),
  cross,
  x: cross.map(([x, y]) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2]),
  star: around([1.3, 0.55, 1.3, 0.55, 1.3, 0.55, 1.3, 0.55, 1.3, 0.55]),
  hexagon: around([1.1, 1.1, 1.1, 1.1, 1.1, 1.1]),
};

const outline = (pen, symbol, x, y, size) => {
  pen.beginPath();
  if (!outlines[symbol]) pen.arc(x, y, size, 0, 2 * Math.PI);
  else for (const [dx, dy] of outlines[symbol]) pen.lineTo(x + dx * size, y + dy * size);
  pen.closePath();
};

const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// A canvas with its scales: `x` and `y` turn scores into pixels, `at` turns pixels into scores.
const paper = (canvas) => {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const ratio = devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  const [across, down] = [width - side.left - side.right, height - side.top - side.bottom];
  return {
    pen,
    x: (value) => side.left + (across * (value - low)) / (high - low),
    y: (value) => side.top + (down * (high - value)) / (high - low),
    at: (x, y) => [low + ((x - side.left) * (high - low)) / across, high - ((y - side.top) * (high - low)) / down],
  };
};

const write = (pen, text, x, y, align, baseline) => {
  pen.textAlign = align;
  pen.textBaseline = baseline;
  pen.fillText(text, x, y);
};

const line = (pen, points, dash = []) => {
  pen.setLineDash(dash);
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.stroke();
  pen.setLineDash([]);
};

const drawAxes = ({ pen, x, y }) => {
  pen.font = `13px ${colourOf("--st-font")}`;
  pen.fillStyle = colourOf("--quiet");
  pen.lineWidth = 1;
  pen.strokeStyle = colourOf("--st-border-color");
  for (const tick of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
    line(pen, [[x(tick), y(low)], [x(tick), y(high)]]);
    line(pen, [[x(low), y(tick)], [x(high), y(tick)]]);
    write(pen, tick.toFixed(1), x(tick), y(low) + 6, "center", "top");
    write(pen, tick.toFixed(1), x(low) - 8, y(tick), "right", "middle");
  }
  pen.fillStyle = colourOf("--st-text-color");
  write(pen, "Closeness (recall)", x(0.5), y(low) + 26, "center", "top");
  pen.save();
  pen.translate(14, y(0.5));
  pen.rotate(-Math.PI / 2);
  write(pen, "Conciseness (precision)", 0, 0, "center", "middle");
  pen.restore();
};

// F1 = 2pr / (p + r), so on the curve of one F1 p = F1 * r / (2r - F1), from r = F1 / (2 - F1) on, where p is 1.
const curveSteps = 60;
const drawEqualF1 = ({ pen, x, y }) => {
  pen.strokeStyle = pen.fillStyle = colourOf("--quiet");
  for (const f1 of equalF1) {
    const start = f1 / (2 - f1);
    const points = Array.from({ length: curveSteps + 1 }, (_, step) => {
      const recall = start + ((1 - start) * step) / curveSteps;
      return [x(recall), y((f1 * recall) / (2 * recall - f1))];
    });
    line(pen, points, [2, 4]);
    write(pen, `F1 ${f1}`, x(high) + 4, points.at(-1)[1], "left", "middle");
  }
};

const drawThresholds = ({ pen, x, y }) => {
  const { high_closeness: close, low_conciseness: concise, regions } = run.closeness;
  pen.strokeStyle = colourOf("--quiet");
  pen.lineWidth = 1.5;
  line(pen, [[x(close), y(low)], [x(close), y(high)]]);
  line(pen, [[x(low), y(concise)], [x(high), y(concise)]]);
  pen.font = `italic 13px ${colourOf("--st-font")}`;
  const [shortAndClose, wordy, partial, other] = regions.map((region) => region.name);
  write(pen, shortAndClose, x(1), y(1) - 4, "right", "bottom");
  write(pen, wordy, x(1), y(0) + 3, "right", "top");
  write(pen, partial, x(0), y(1) - 4, "left", "bottom");
  write(pen, other, x(0), y(0) + 3, "left", "top");
  pen.font = `13px ${colourOf("--st-font")}`;
};

const drawPoints = ({ pen, x, y }, places) => {
  const number = places.reduce((sum, place) => sum + place.rows.length, 0);
  pen.globalAlpha = Math.min(0.85, Math.max(0.35, 12 / Math.sqrt(Math.max(number, 1))));
  for (const place of places) {
    for (const pipeline of new Set(place.rows.map((row) => responses.pipeline[row]))) {
      pen.fillStyle = run.pipelines[pipeline].colour;
      outline(pen, run.pipelines[pipeline].symbol, x(place.closeness), y(place.conciseness), 4.5);
      pen.fill();
    }
  }
  pen.globalAlpha = 1;
  pen.fillStyle = colourOf("--st-text-color");
  const stacks = places.filter((place) => place.rows.length >= Math.max(2, number / 100));
  for (const place of stacks.sort((a, b) => b.rows.length - a.rows.length).slice(0, 12)) {
    write(pen, `×${count(place.rows.length)}`, x(place.closeness) + 7, y(place.conciseness) - 5, "left", "bottom");
  }
};

const drawTiles = ({ pen, x, y }, places) => {
  const width = 1 / tiles;
  const most = Math.log10(Math.max(...places.map((place) => place.rows.length)) + 1);
  pen.fillStyle = colourOf("--st-primary-color");
  for (const place of places) {
    pen.globalAlpha = 0.12 + (0.88 * Math.log10(place.rows.length + 1)) / most;
    const [left, top] = [x(place.closeness - width / 2), y(place.conciseness + width / 2)];
    pen.fillRect(left, top, x(width) - x(0), y(0) - y(width));
  }
  pen.globalAlpha = 1;
};

const drawMeans = ({ pen, x, y }, shownPipelines) => {
  for (const mean of run.closeness.means) {
    const place = pipelines.indexOf(mean.pipeline);
    if (!shownPipelines.includes(place)) continue;
    const { colour, symbol } = run.pipelines[place];
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = 2;
    if (mean.closeness_low !== null) {
      line(pen, [[x(mean.closeness_low), y(mean.conciseness)], [x(mean.closeness_high), y(mean.conciseness)]]);
      line(pen, [[x(mean.closeness), y(mean.conciseness_low)], [x(mean.closeness), y(mean.conciseness_high)]]);
    }
    outline(pen, symbol, x(mean.closeness), y(mean.conciseness), 8.5);
    pen.fill();
    pen.strokeStyle = "#ffffff";
    pen.stroke();
  }
};

// The responses by where they lie: on one spot, or in one tile where they are too many to draw.
const placesOf = (rows) => {
  const dense = rows.length > tilesAbove;
  const tile = (value) => (Math.min(tiles - 1, Math.floor(value * tiles)) + 0.5) / tiles;
  const found = new Map();
  for (const row of rows) {
    const [closeness, conciseness] = [responses.closeness[row], responses.conciseness[row]].map((value) => (dense ? tile(value) : value));
    const key = `${closeness},${conciseness}`;
    if (!found.has(key)) found.set(key, { key, closeness, conciseness, rows: [] });
    found.get(key).rows.push(row);
  }
  return { dense, places: [...found.values()] };
};

const nearest = ({ x, y }, places, atX, atY) => {
  let best = null;
  let within = reach;
  for (const place of places) {
    const distance = Math.hypot(x(place.closeness) - atX, y(place.conciseness) - atY);
    if (distance <= within) [best, within] = [place, distance];
  }
  return best;
};
