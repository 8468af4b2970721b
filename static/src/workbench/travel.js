// Undo and redo without leaving the page; Ctrl+Z belongs to the text field while one is in use.
import { isTaken } from "../shell/commanding.js";
import { send } from "../shell/session.js";
import { say } from "./answers.js";
import { flush } from "./fields.js";
import { takeOver } from "./page.js";
import { settled } from "./yaml.js";

let travels = Promise.resolve();

async function travel(form, submitter) {
  await flush();
  await settled();
  const { response, page } = await send(form, submitter);
  if (response.status >= 400) throw new Error(`Refused: ${response.status}`);
  const target = new URL(response.url);
  if (target.pathname !== window.location.pathname || !page.getElementById("bench")) {
    window.location.assign(response.url);
    return;
  }
  takeOver(page);
  document.dispatchEvent(new CustomEvent("workbench:saved"));
}

const fail = () => say("Not undone; try again", true);

// One after the other, so that the page shows the last of them.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-travel]")) return;
  event.preventDefault();
  const { target: form, submitter } = event;
  travels = travels.then(() => travel(form, submitter)).catch(fail);
});

document.addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(key)) return;
  if (isTaken(event)) return;
  event.preventDefault();
  const isRedo = key === "y" || event.shiftKey;
  const button = document.getElementById(isRedo ? "redo" : "undo");
  if (button) button.form.requestSubmit(button);
});
