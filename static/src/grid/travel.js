// Undo, redo and fixes stay on the page: the rows are drawn anew. Ctrl+Z belongs to a text field while one is in use.
import { isTaken } from "../shell/commanding.js";
import { send } from "../shell/session.js";
import { saved } from "./cells.js";
import { showAnew } from "./following.js";

let travels = Promise.resolve();

async function travel(form, submitter) {
  // The last change is the one that is being saved.
  await saved();
  const { response, page } = await send(form, submitter);
  if (!response.ok) throw new Error(`Refused: ${response.status}`);
  if (page.getElementById("job")) {
    window.location.assign(response.url);
    return;
  }
  for (const toast of page.querySelectorAll("#toasts > *")) document.getElementById("toasts").append(document.adoptNode(toast));
  await showAnew();
}

function fail() {
  const text = "The server did not do this; nothing was changed.";
  document.dispatchEvent(new CustomEvent("toast", { detail: { level: "error", text } }));
}

// One after the other, so that the page shows the last of them.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-travel]") || !document.getElementById("rows")) return;
  event.preventDefault();
  const { target: form, submitter } = event;
  travels = travels.then(() => travel(form, submitter)).catch(fail);
});

document.addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(key)) return;
  if (isTaken(event)) return;
  const button = document.getElementById(key === "y" || event.shiftKey ? "redo" : "undo");
  if (!button) return;
  event.preventDefault();
  button.form.requestSubmit(button);
});

// A saved cell can be undone.
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful && event.detail.pathInfo?.requestPath?.endsWith("/cell/save/")) document.getElementById("undo")?.removeAttribute("aria-disabled");
});
