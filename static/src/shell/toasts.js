// Toasts: from the page, from fragments (out of band into #toasts), or from an event "toast" {level, text}.
// Errors stay until they are closed.
const SECONDS = 5;

function arm(toast) {
  if (toast.dataset.armed) return;
  toast.dataset.armed = "yes";
  if (toast.matches(".toast--error, .toast--warning")) return;
  let timer;
  const start = () => (timer = setTimeout(() => toast.remove(), SECONDS * 1000));
  const stop = () => clearTimeout(timer);
  for (const name of ["pointerenter", "focusin"]) toast.addEventListener(name, stop);
  for (const name of ["pointerleave", "focusout"]) toast.addEventListener(name, start);
  start();
}

function show({ level = "info", text }) {
  const toast = document.getElementById("toast").content.firstElementChild.cloneNode(true);
  toast.classList.add(`toast--${level}`);
  toast.setAttribute("role", level === "error" ? "alert" : "status");
  toast.querySelector("[data-text]").textContent = text;
  document.getElementById("toasts").append(toast);
  arm(toast);
}

const tray = document.getElementById("toasts");
if (tray) {
  for (const toast of tray.children) arm(toast);
  new MutationObserver(() => [...tray.children].forEach(arm)).observe(tray, { childList: true });
  tray.addEventListener("click", (event) => event.target.closest("[data-dismiss]")?.closest(".toast").remove());
}

document.addEventListener("toast", (event) => show(event.detail));

// What asks again by itself says nothing when it fails: the worker pill, the mark of what is saved and the next time do.
const asksAgain = (event) => event.detail.elt.matches("[data-poll], [data-follows], [data-retries]");
document.addEventListener("htmx:sendError", (event) => {
  if (!asksAgain(event)) show({ level: "error", text: "The server did not answer. Your change is still on this page; try again." });
});
document.addEventListener("htmx:responseError", (event) => {
  const { status } = event.detail.xhr;
  // The end of a session has its own notice, and what is retried says itself where it may not go on.
  if (status === 401 || (status === 403 && event.detail.elt.matches("[data-retries]"))) return;
  if (asksAgain(event) && (status >= 500 || !event.detail.elt.matches("[data-retries]"))) return;
  const text = {
    403: "You may not do this, or this page is too old. Reload it and try again.",
    404: "This no longer exists, or you may not see it.",
    429: "Too many requests. Wait a moment and try again.",
  }[status];
  show({ level: "error", text: text || `The server could not do this (${status}). Try again, or reload the page.` });
});
