// Runs before Streamlit's own scripts. Streamlit's server is in the folder that the page's files come from: opened at
// /compare the page would look under /compare/ first, and the console would show two errors.
window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href };

// When the page is drawn for the first time the styles of the first paint have done their work.
const DRAWN = "[data-testid=stApp][data-test-script-state=notRunning] h1";
const NOT_DRAWN = "[data-testid=stSkeleton], [data-testid=stBidiComponentIsolated]:not([data-drawn])";
const LATEST_MS = 60_000;
const watch = setInterval(() => {
  const drawn = document.querySelector(DRAWN) && !document.querySelector(NOT_DRAWN);
  if (!drawn && performance.now() < LATEST_MS) return;
  clearInterval(watch);
  document.getElementById("first-paint").remove();
}, 100);

// Streamlit reads its icons aloud by their file's name: "space_dashboard icon". Beside a text they are decoration.
new MutationObserver(() => {
  for (const icon of document.querySelectorAll('[role="img"][aria-label$=" icon"]')) {
    const beside = icon.closest("a, button, summary, label")?.textContent.replace(icon.textContent, "");
    if (beside?.trim()) {
      icon.removeAttribute("role");
      icon.removeAttribute("aria-label");
      icon.setAttribute("aria-hidden", "true");
    }
  }
}).observe(document.documentElement, { childList: true, subtree: true });
