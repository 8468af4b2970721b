// Some findings need the whole pack: they are asked for once nothing was changed for a while.
import { ask as askServer } from "../shell/session.js";
import { spread } from "./answers.js";

const IDLE_MS = 1200;
let timer;

const revision = () => document.getElementById("seen")?.value;

// What the form could not take over stays at its field, with a message.
const isOpen = () => document.querySelector("#savestate:is([data-trouble], .savestate--trouble)") !== null;

async function ask() {
  const form = document.getElementById("editor");
  const url = form?.dataset.recheckUrl;
  if (!url || isOpen()) return;
  const data = new FormData();
  data.set("csrfmiddlewaretoken", form.querySelector("[name=csrfmiddlewaretoken]").value);
  const response = await askServer(url, { method: "POST", body: data });
  if (response.status !== 200) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const live = page.getElementById("live");
  // Anything newer has asked for itself.
  if (!live || live.dataset.revision !== revision() || isOpen()) return;
  document.getElementById("live")?.replaceWith(live);
  document.getElementById("problem-count")?.replaceChildren(...page.getElementById("problem-count").childNodes);
  spread();
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(() => ask().catch(() => {}), IDLE_MS);
}

// A saved text is no answer to a field.
for (const name of ["workbench:saved", "words:saved"]) document.addEventListener(name, later);
