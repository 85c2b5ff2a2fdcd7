// Draws which mark is whose, and dims the others of the one that is pointed at. Names come from files: everything is set
// with textContent.

const paths = {
  circle: "M14 8A6 6 0 1 1 2 8A6 6 0 1 1 14 8Z",
  diamond: "M8 1L15 8L8 15L1 8Z",
  square: "M2.5 2.5H13.5V13.5H2.5Z",
  "triangle-up": "M8 2L15 14H1Z",
  x: "M5 2L8 5L11 2L14 5L11 8L14 11L11 14L8 11L5 14L2 11L5 8L2 5Z",
  "triangle-down": "M8 14L15 2H1Z",
  cross: "M6 1.5H10V6H14.5V10H10V14.5H6V10H1.5V6H6Z",
  star: "M8 1L9.9 6H15L11 9.2L12.5 14.5L8 11.3L3.5 14.5L5 9.2L1 6H6.1Z",
  hexagon: "M8 1.5L14 4.8V11.2L8 14.5L2 11.2V4.8Z",
};

const SVG = "http://www.w3.org/2000/svg";

const drawMark = ({ colour, symbol }) => {
  const mark = document.createElementNS(SVG, "svg");
  mark.setAttribute("viewBox", "0 0 16 16");
  mark.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", paths[symbol]);
  path.setAttribute("fill", colour);
  mark.append(path);
  return mark;
};

const DIMMED = "0.12";

// The traces of other groups fade; without a group all come back.
const focus = (plot, group) => {
  for (const trace of plot?.querySelectorAll(".scatterlayer .trace") ?? []) {
    const own = trace.__data__?.[0]?.trace?.legendgroup;
    trace.style.opacity = !group || !own || own === group ? "" : DIMMED;
  }
};

const watched = new WeakSet();

// Plotly says what is pointed at; a chart that is drawn anew is another element.
const watch = (plot) => {
  if (!plot?.on || watched.has(plot)) return;
  watched.add(plot);
  plot.on("plotly_hover", ({ points }) => focus(plot, points[0].data.legendgroup));
  plot.on("plotly_unhover", () => focus(plot));
};

export default function ({ data, parentElement }) {
  const plotOf = () => document.querySelector(`.${data.chart} .js-plotly-plot`);
  const entries = data.marks.map((mark) => {
    const entry = document.createElement("li");
    const name = document.createElement("span");
    name.textContent = mark.number ? `${mark.number} ${mark.name}` : mark.name;
    entry.append(drawMark(mark), name);
    if (mark.group) {
      entry.addEventListener("pointerenter", () => focus(plotOf(), mark.group));
      entry.addEventListener("pointerleave", () => focus(plotOf()));
    }
    return entry;
  });
  const point = (event) => {
    if (event.target.closest?.(`.${data.chart}`)) watch(plotOf());
  };
  document.addEventListener("pointerover", point);
  const list = parentElement.querySelector("ul");
  list.setAttribute("aria-label", data.label);
  list.replaceChildren(...entries);
  // What stands below is hidden until then: see first_paint.css.
  parentElement.host.dataset.drawn = "";
  return () => document.removeEventListener("pointerover", point);
}
