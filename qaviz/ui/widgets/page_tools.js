// What stands beside the title of every page: search, a copied link, saved views, the sample run, keys.
// Names come from files and people: everything is set with textContent.

const MOST = 14;
const PAUSE_MS = 150;

const element = (name, className, text) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

const button = (text, title, act) => {
  const made = element("button", "", text);
  made.type = "button";
  made.title = title;
  made.addEventListener("click", act);
  return made;
};

// Pages and words first whose name begins with what is asked, then those that have a word that does, then the others.
const rankTargets = (targets, asked) => {
  const wanted = asked.trim().toLowerCase();
  const rank = ({ text }) => {
    const name = text.toLowerCase();
    if (name.startsWith(wanted)) return 0;
    if (name.includes(` ${wanted}`)) return 1;
    return name.includes(wanted) ? 2 : 3;
  };
  return targets
    .map((target, place) => ({ target, place, rank: rank(target) }))
    .filter((each) => each.rank < 3)
    .sort((one, other) => one.rank - other.rank || one.place - other.place)
    .map((each) => each.target);
};

const isTyped = (event) => {
  const at = event.composedPath()[0];
  return Boolean(at?.isContentEditable) || ["INPUT", "TEXTAREA", "SELECT"].includes(at?.tagName);
};

const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without a secure context there is no clipboard: the reader copies from the field.
    return false;
  }
};

const makeDialog = (title, ...content) => {
  const made = element("dialog", "");
  made.setAttribute("aria-label", title);
  const head = element("div", "head");
  const close = button("✕", "Close", () => made.close());
  close.setAttribute("aria-label", "Close");
  head.append(element("strong", "title", title), close);
  made.append(head, ...content);
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  return made;
};

class Palette {
  constructor(ask, open) {
    this.open = open;
    this.place = 0;
    this.field = element("input", "");
    this.field.placeholder = "A page, a run, a question, a word";
    const field = { role: "combobox", "aria-expanded": "true", "aria-controls": "targets", "aria-label": "Go to" };
    for (const [name, value] of Object.entries(field)) this.field.setAttribute(name, value);
    this.list = element("ul", "targets");
    this.list.id = "targets";
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "What can be opened");
    this.dialog = makeDialog("Go to", this.field, this.list);
    this.field.addEventListener("input", () => {
      this.place = 0;
      this.draw();
      clearTimeout(this.pause);
      this.pause = setTimeout(() => ask(this.field.value), PAUSE_MS);
    });
  }

  show() {
    if (this.dialog.open) return;
    this.field.value = "";
    this.place = 0;
    this.draw();
    this.dialog.showModal();
    this.field.focus();
  }

  update({ targets, found, asked }) {
    Object.assign(this, { targets, found, asked });
    this.draw();
  }

  draw() {
    const typed = this.field.value.trim();
    const known = rankTargets(this.targets, typed);
    // What was found for other words is not shown for these.
    this.shown = [...known, ...(this.asked === this.field.value ? this.found : [])].slice(0, MOST);
    this.place = Math.min(this.place, Math.max(this.shown.length - 1, 0));
    this.list.replaceChildren(...this.shown.map((target, place) => this.drawTarget(target, place)));
    this.field.setAttribute("aria-activedescendant", this.shown.length ? `target-${this.place}` : "");
  }

  drawTarget(target, place) {
    const made = element("li", "");
    made.id = `target-${place}`;
    made.setAttribute("role", "option");
    made.setAttribute("aria-selected", String(place === this.place));
    made.append(element("span", "name", target.text), element("span", "kind", target.kind));
    made.addEventListener("click", () => this.choose(target));
    return made;
  }

  press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      this.place = Math.min(Math.max(this.place + step, 0), Math.max(this.shown.length - 1, 0));
      this.draw();
      this.list.children[this.place]?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && this.shown[this.place]) {
      event.preventDefault();
      this.choose(this.shown[this.place]);
    }
  }

  choose(target) {
    // A question sent now would run the page that is about to be left.
    clearTimeout(this.pause);
    this.dialog.close();
    this.open(target.id);
  }
}

class Views {
  constructor(act) {
    this.act = act;
    this.field = element("input", "");
    this.field.placeholder = "Name of this view";
    this.field.setAttribute("aria-label", "Name of this view");
    this.field.maxLength = 120;
    const form = element("form", "");
    form.append(this.field, element("button", "", "Save"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.field.value.trim()) act({ kind: "save", id: this.field.value });
      this.field.value = "";
    });
    this.problem = element("p", "problem", "");
    this.problem.setAttribute("role", "alert");
    this.list = element("ul", "views");
    const what = "A view is this page of this run with its filters, for everybody who opens the run.";
    this.dialog = makeDialog("Saved views", element("p", "", what), form, this.problem, this.list);
  }

  update({ views, problem }) {
    this.problem.textContent = problem;
    const none = element("li", "", "No view of this run is saved yet.");
    this.list.replaceChildren(...(views.length ? views.map((view) => this.drawView(view)) : [none]));
  }

  drawView(view) {
    const made = element("li", "");
    const open = button(view.name, `Open ${view.note}`, () => {
      this.dialog.close();
      this.act({ kind: "view", id: view.name });
    });
    open.className = "name";
    const remove = button("Delete", `Delete the view ${view.name}`, () => this.act({ kind: "delete", id: view.name }));
    made.append(open, element("span", "kind", view.note), remove);
    return made;
  }
}

const drawKeys = (shortcuts) => {
  const list = element("dl", "keys");
  for (const [keys, meaning] of shortcuts) {
    const key = element("dt", "");
    key.append(...keys.map((each) => element("kbd", "", each)));
    list.append(key, element("dd", "", meaning));
  }
  return list;
};

class Tools {
  constructor(parent, data, say, ask) {
    this.palette = new Palette(ask, (id) => say({ kind: "target", id }));
    this.views = new Views(say);
    this.keys = makeDialog("Keys", drawKeys(data.shortcuts));
    this.link = element("input", "");
    this.link.readOnly = true;
    this.link.setAttribute("aria-label", "Link to this page");
    this.links = makeDialog("Copy this link", this.link);
    const search = button("Search", "Go to a page, a run or a question: Ctrl+K", () => this.palette.show());
    search.append(element("kbd", "", "Ctrl K"));
    this.copy = button("Copy link", "Copy the link to this page as it is set up", () => this.copyLink());
    const saved = button("Views", "Saved views of this run", () => this.views.dialog.showModal());
    const sample = button("Sample", "Open the sample run", () => say({ kind: "sample", id: "" }));
    const keys = button("?", "Keys", () => this.keys.showModal());
    keys.setAttribute("aria-label", "Keys");
    const bar = element("div", "bar");
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", "Tools");
    bar.append(search, this.copy, saved, sample, keys);
    const dialogs = [this.palette.dialog, this.views.dialog, this.keys, this.links];
    parent.querySelector(".tools").replaceChildren(bar, ...dialogs);
    this.press = (event) => this.onKey(event, dialogs);
    document.addEventListener("keydown", this.press, true);
    hideIcons();
    this.icons = new MutationObserver(hideIcons);
    this.icons.observe(document.body, { childList: true, subtree: true });
  }

  onKey(event, dialogs) {
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      event.stopPropagation();
      for (const each of dialogs) if (each.open && each !== this.palette.dialog) each.close();
      this.palette.show();
    } else if (dialogs.some((each) => each.open)) {
      // Keys that label, step or close do nothing behind a dialog.
      if (event.key !== "Tab") event.stopImmediatePropagation();
      if (event.key === "Escape") for (const each of dialogs) each.close();
      this.passOn(event);
    } else if (event.key === "?" && !isTyped(event)) {
      event.preventDefault();
      this.keys.showModal();
    }
  }

  // The palette's own keys, which the page must not hear.
  passOn(event) {
    if (event.composedPath()[0] === this.palette.field) this.palette.press(event);
  }

  async copyLink() {
    if (await copyText(location.href)) {
      this.copy.textContent = "Copied";
      setTimeout(() => (this.copy.textContent = "Copy link"), 2_000);
      return;
    }
    this.link.value = location.href;
    this.links.showModal();
    this.link.select();
  }

  update(data) {
    this.palette.update(data);
    this.views.update(data);
  }

  remove() {
    document.removeEventListener("keydown", this.press, true);
    this.icons.disconnect();
  }
}

// Streamlit reads its icons aloud by their file's name: "space_dashboard icon". Beside a text they are decoration.
const hideIcons = () => {
  for (const icon of document.querySelectorAll('[role="img"][aria-label$=" icon"]')) {
    const beside = icon.closest("a, button, summary, label")?.textContent.replace(icon.textContent, "");
    if (beside?.trim()) {
      icon.removeAttribute("role");
      icon.removeAttribute("aria-label");
      icon.setAttribute("aria-hidden", "true");
    }
  }
};

const standing = new WeakMap();

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  if (!standing.has(parentElement)) {
    const say = (act) => setTriggerValue("act", act);
    standing.set(parentElement, new Tools(parentElement, data, say, (asked) => setStateValue("asked", asked)));
  }
  const tools = standing.get(parentElement);
  clearTimeout(tools.leaving);
  tools.update(data);
  // What stands below is hidden until then: see page_setup.css.
  parentElement.host.dataset.drawn = "";
  // Streamlit clears up before each new call too: only what is not called again goes.
  return () => {
    tools.leaving = setTimeout(() => {
      tools.remove();
      standing.delete(parentElement);
    });
  };
}
