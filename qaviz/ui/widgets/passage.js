export default function ({ data, parentElement }) {
  const passage = parentElement.querySelector(".passage");
  passage.replaceChildren(
    ...data.map((part) => {
      const element = document.createElement(part.marked ? "mark" : "span");
      element.textContent = part.text;
      return element;
    }),
  );
  // What stands below is hidden until then: see first_paint.css.
  parentElement.host.dataset.drawn = "";
}
