// Draws which mark is whose. Names come from files: everything is set with textContent.

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

export default function ({ data, parentElement }) {
  const entries = data.marks.map((mark) => {
    const entry = document.createElement("li");
    const name = document.createElement("span");
    name.textContent = mark.name;
    entry.append(drawMark(mark), name);
    return entry;
  });
  const list = parentElement.querySelector("ul");
  list.setAttribute("aria-label", data.label);
  list.replaceChildren(...entries);
  // What stands below is hidden until then: see page_setup.css.
  parentElement.host.dataset.drawn = "";
}
