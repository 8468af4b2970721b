// The gallery of checks, in a dialog: what is chosen is added to the form. Without this script it is a page of its own.
import { openDialog } from "../shell/dialogs.js";
import { listenForKinds, prepareKinds } from "../shell/kinds.js";
import { send } from "../shell/session.js";
import { say } from "./answers.js";
import { flush } from "./fields.js";
import { takeOver } from "./page.js";
import { revealAsked } from "./reveal.js";
import { settled } from "./yaml.js";

const dialog = document.getElementById("gallery");

async function open(url) {
  await window.htmx.ajax("GET", url, { source: dialog, target: "#gallery-body" });
  const input = dialog.querySelector("input"), list = dialog.querySelector('[role="listbox"]');
  dialog.setAttribute("aria-label", list.getAttribute("aria-label"));
  input.setAttribute("aria-label", list.dataset.search);
  input.placeholder = list.dataset.asks;
  input.value = "";
  prepareKinds(dialog);
  openDialog(dialog);
}

async function add(form, submitter) {
  await flush();
  await settled();
  const { response, page } = await send(form, submitter);
  if (response.status >= 400) throw new Error(`Refused: ${response.status}`);
  dialog.close();
  const target = new URL(response.url);
  const isHere = target.pathname === window.location.pathname && page.querySelector(".bench__head h1")?.textContent === document.querySelector(".bench__head h1")?.textContent;
  if (!isHere) {
    window.location.assign(response.url);
    return;
  }
  takeOver(page);
  document.dispatchEvent(new CustomEvent("workbench:saved"));
  revealAsked();
}

document.addEventListener("click", (event) => {
  const opener = dialog && event.target.closest("[data-gallery]");
  if (!opener) return;
  event.preventDefault();
  open(opener.dataset.gallery).catch(() => say("The gallery could not be opened; try again", true));
});

if (dialog) {
  listenForKinds(dialog);
  dialog.addEventListener("submit", (event) => {
    event.preventDefault();
    add(event.target, event.submitter).catch(() => say("Not added; try again", true));
  });
}
