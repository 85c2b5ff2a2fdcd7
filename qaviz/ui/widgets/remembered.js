// Has the browser remember a value for later visits: a cookie of this app alone, which no other site sends along.

const YEAR = 365 * 24 * 60 * 60;

export default function ({ data, parentElement }) {
  const age = data.value ? YEAR : 0;
  const secure = location.protocol === "https:" ? "; secure" : "";
  // What stands below waits until then: see page_setup.css.
  parentElement.host.dataset.drawn = "";
  document.cookie = `${data.name}=${encodeURIComponent(data.value)}; path=/; max-age=${age}; samesite=strict${secure}`;
}
