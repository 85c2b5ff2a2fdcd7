// Draws sentences that quote names from files.

export default function ({ data, parentElement }) {
  const list = element("ul", "", ...data.points.map((point) => element("li", "", point)));
  const drawn = [element("p", "lead", data.lead), list].filter((each) => each.hasChildNodes());
  parentElement.querySelector(".prose").replaceChildren(...drawn);
  // What stands below is hidden until then: see first_paint.css.
  parentElement.host.dataset.drawn = "";
}
