// Has the browser remember a value for later visits: a cookie of this app alone, which no other site sends along.

const YEAR = 365 * 24 * 60 * 60;

export default function ({ data, parentElement }) {
  const age = data.value ? YEAR : 0;
  const secure = location.protocol === "https:" ? "; secure" : "";
  // What stands below waits until then: see page_setup.css.
  parentElement.host.dataset.drawn = "";
  const kept = `${data.name}=${encodeURIComponent(data.value)}`;
  const given = data.value && !document.cookie.split("; ").includes(kept);
  const field = document.activeElement;
  // Given by Enter: the page's keys count at once. Tab goes on from the field that is left.
  if (given && field?.matches('[data-testid="stSidebar"] input[aria-label="Your name"]')) field.blur();
  document.cookie = `${kept}; path=/; max-age=${age}; samesite=strict${secure}`;
}
