// A check is tried on a sample answer while that is typed, and once more when the check itself was changed.
import { ask } from "../shell/session.js";

const TYPING_MS = 400;
// What was typed for each check, which outlives a form that is drawn anew; and the number of the latest question.
const answers = new Map();
const turns = new Map();
let timer;

async function tryOut(area) {
  const form = document.getElementById("editor");
  const said = document.getElementById(area.id.replace(/-a$/, "-t"));
  const at = area.dataset.try;
  const turn = (turns.get(at) ?? 0) + 1;
  turns.set(at, turn);
  if (!area.value) return said.replaceChildren();
  const body = new FormData();
  body.set("node", form.dataset.node);
  body.set("at", at);
  body.set("answer", area.value);
  body.set("csrfmiddlewaretoken", form.querySelector("[name=csrfmiddlewaretoken]").value);
  const response = await ask(form.dataset.tryUrl, { method: "POST", body });
  const text = await response.text();
  if (turns.get(at) !== turn) return undefined;
  if (!response.ok) said.textContent = "Not tried; type on to try again.";
  else said.innerHTML = text;
  return undefined;
}

const tryAll = (areas) => areas.forEach((area) => tryOut(area).catch(() => {}));

document.addEventListener("input", (event) => {
  const area = event.target.closest?.("[data-try]");
  if (!area) return;
  answers.set(area.dataset.try, area.value);
  clearTimeout(timer);
  timer = setTimeout(() => tryAll([area]), TYPING_MS);
});

document.addEventListener("workbench:saved", () => {
  const areas = [...document.querySelectorAll("[data-try]")];
  for (const area of areas) area.value ||= answers.get(area.dataset.try) ?? "";
  tryAll(areas.filter((area) => area.value));
});
