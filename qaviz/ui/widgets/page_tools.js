// What stands beside the title of every page: a copied link, and the keys.

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

const isTyped = (event) => {
  const at = event.composedPath()[0];
  return Boolean(at?.isContentEditable) || ["INPUT", "TEXTAREA", "SELECT"].includes(at?.tagName);
};

const makeDialog = (title, content) => {
  const made = element("dialog", "");
  made.setAttribute("aria-label", title);
  const head = element("div", "head");
  const close = button("✕", "Close", () => made.close());
  close.setAttribute("aria-label", "Close");
  head.append(element("strong", "title", title), close);
  made.append(head, content);
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  return made;
};

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
  constructor(parent, data) {
    this.keys = makeDialog("Keys", drawKeys(data.shortcuts));
    this.link = element("input", "");
    this.link.readOnly = true;
    this.link.setAttribute("aria-label", "Link to this page");
    this.links = makeDialog("Copy this link", this.link);
    this.copy = button("Copy link", "Copy the link to this page as it is set up", () => this.copyLink());
    const keys = button("?", "Keys", () => this.keys.showModal());
    keys.setAttribute("aria-label", "Keys");
    const bar = element("div", "bar");
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", "Tools");
    bar.append(this.copy, keys);
    parent.querySelector(".tools").replaceChildren(bar, this.keys, this.links);
    this.press = (event) => this.onKey(event);
    document.addEventListener("keydown", this.press, true);
    hideIcons();
    this.icons = new MutationObserver(hideIcons);
    this.icons.observe(document.body, { childList: true, subtree: true });
  }

  onKey(event) {
    if (this.keys.open || this.links.open) {
      // Keys that label, step or close do nothing behind a dialog.
      if (event.key !== "Tab") event.stopImmediatePropagation();
      if (event.key === "Escape") for (const each of [this.keys, this.links]) each.close();
    } else if (event.key === "?" && !isTyped(event)) {
      event.preventDefault();
      this.keys.showModal();
    }
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.copy.textContent = "Copied";
      setTimeout(() => (this.copy.textContent = "Copy link"), 2_000);
    } catch {
      // Without a secure context there is no clipboard: the reader copies from the field.
      this.link.value = location.href;
      this.links.showModal();
      this.link.select();
    }
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

export default function ({ data, parentElement }) {
  if (!standing.has(parentElement)) standing.set(parentElement, new Tools(parentElement, data));
  const tools = standing.get(parentElement);
  clearTimeout(tools.leaving);
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
