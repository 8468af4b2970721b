// Undo and redo without leaving the page; Ctrl+Z belongs to the text field while one is in use.
import { flush } from "./fields.js";
import { submit, takeOver } from "./page.js";

const TYPING = "input:not([type=checkbox]), textarea, select, [contenteditable=true], .cm-editor";

document.addEventListener("submit", async (event) => {
  if (!event.target.matches("[data-travel]")) return;
  event.preventDefault();
  const form = event.target;
  await flush();
  const { response, page } = await submit(form, event.submitter);
  const target = new URL(response.url);
  if (target.pathname !== window.location.pathname || !page.getElementById("bench")) {
    window.location.assign(response.url);
    return;
  }
  takeOver(page);
  for (const toast of page.querySelectorAll("#toasts > *")) document.getElementById("toasts").append(document.adoptNode(toast));
  document.dispatchEvent(new CustomEvent("workbench:saved"));
});

document.addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(key)) return;
  if (event.target.closest?.(TYPING) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  const isRedo = key === "y" || event.shiftKey;
  const button = document.getElementById(isRedo ? "redo" : "undo");
  if (button) button.form.requestSubmit(button);
});
