export default function ({ data, parentElement }) {
  const parts = data.map((part) => element(part.marked ? "mark" : "span", "", part.text));
  parentElement.querySelector(".passage").replaceChildren(...parts);
  // What stands below is hidden until then: see first_paint.css.
  parentElement.host.dataset.drawn = "";
}
