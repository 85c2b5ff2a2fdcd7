// What the address says after `#`: the page, the open question, and the filters. A link shows someone else the same.

const shared = ["pipeline", "category", "diagnosis", "text"];

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const address = () => {
  const [path, query = ""] = location.hash.slice(1).split("?");
  const [, page = "", id = ""] = path.split("/");
  return { page: page || "overview", id: decoded(id), said: new URLSearchParams(query) };
};

const said = (name) => address().said.get(name) ?? "";
// What the address says, where it is one of these; else the first of them.
const saidOf = (name, options) => (options.includes(said(name)) ? said(name) : options[0]);
const saidAll = (name) => address().said.getAll(name);

const written = (page, id, query) => {
  const path = `#/${page}${id ? `/${encodeURIComponent(id)}` : ""}`;
  return query.size ? `${path}?${query}` : path;
};

// The address of a page with the filters that pages share, and these changes; null and "" take a name away.
const hrefOf = (page, changes = {}, id = "") => {
  const query = new URLSearchParams();
  for (const name of shared) for (const value of saidAll(name)) query.append(name, value);
  return written(page, id, changed(query, changes));
};

const changed = (query, changes) => {
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name);
    for (const each of [value].flat()) if (each !== null && each !== "") query.append(name, each);
  }
  return query;
};

// This page with other filters; the list then begins at its first page.
const hereWith = (changes) => {
  const { page, id, said: query } = address();
  return written(page, id, changed(query, { page: null, ...changes }));
};

const goWith = (changes) => {
  location.hash = hereWith(changes);
};

// As `goWith`, without a step that the back button takes.
const settleWith = (changes) => {
  history.replaceState(null, "", hereWith(changes));
  dispatchEvent(new HashChangeEvent("hashchange"));
};
