// Draws sentences that quote names from files: everything is set with textContent.

export default function ({ data, parentElement }) {
  const made = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const lead = made("p", data.lead);
  lead.className = "lead";
  const list = made("ul", "");
  list.append(...data.points.map((point) => made("li", point)));
  parentElement.querySelector(".prose").replaceChildren(...[lead, list].filter((each) => each.hasChildNodes()));
  // What stands below is hidden until then: see first_paint.css.
  parentElement.host.dataset.drawn = "";
}
