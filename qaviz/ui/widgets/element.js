// Stands before each of the other scripts: an element of this class that has these texts and elements. Texts stay texts:
// nothing is ever parsed as HTML.
const element = (name, className, ...content) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content.filter((part) => part !== undefined && part !== null && part !== ""));
  return made;
};

