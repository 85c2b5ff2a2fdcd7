// Three cards for somebody who is here for the first time. Closed once, they stay closed in this browser.

const YEAR = 365 * 24 * 60 * 60;

const isClosed = (cookies, name) => cookies.split("; ").some((each) => each.startsWith(`${name}=`));

const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });

const drawStep = (card, data, place, close) => {
  const { title, text } = data.steps[place];
  const act = (words, does) => {
    const made = element("button", words);
    made.type = "button";
    made.addEventListener("click", does);
    return made;
  };
  const go = (to) => () => {
    drawStep(card, data, to, close);
    card.querySelector("button").focus();
  };
  const last = place === data.steps.length - 1;
  const bar = element("div", "");
  bar.append(last ? act("Done", close) : act("Next", go(place + 1)));
  if (place) bar.append(act("Back", go(place - 1)));
  if (!last) bar.append(act("Close", close));
  const count = element("span", `${place + 1} of ${data.steps.length}`);
  bar.append(count);
  card.replaceChildren(element("strong", title), element("p", text), bar);
};

export default function ({ data, parentElement }) {
  parentElement.host.dataset.drawn = "";
  const card = parentElement.querySelector("section");
  if (isClosed(document.cookie, data.cookie)) {
    card.hidden = true;
    return;
  }
  if (card.hasChildNodes()) return;
  card.setAttribute("aria-label", "First steps");
  drawStep(card, data, 0, () => {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `${data.cookie}=closed; path=/; max-age=${YEAR}; samesite=strict${secure}`;
    card.hidden = true;
  });
  card.hidden = false;
}
