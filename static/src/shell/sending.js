// A form is sent once: the second click of a double click starts no second run, and makes no second pack.
const AGAIN_MS = 3_000;
const sent = new Set();

// At the window, so that code that sends a form in another way has said so by then.
window.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if (sent.has(form)) {
    event.preventDefault();
    return;
  }
  sent.add(form);
  // The page may stay: the answer can be a file.
  setTimeout(() => sent.delete(form), AGAIN_MS);
});
window.addEventListener("pageshow", () => sent.clear());
