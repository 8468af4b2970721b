// What others edit appears in the text of the whole pack, beside what is typed and not applied yet.
import { ask } from "../shell/session.js";
import { takeIn } from "./yaml.js";

const form = () => document.querySelector("#yaml-form[data-follows]");
const say = (words) => (document.getElementById("yaml-state").textContent = words);
let turn = Promise.resolve();

async function follow(revision) {
  if (!form() || revision <= Number(form().elements.seen.value)) return;
  const response = await ask(window.location.href);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.querySelector("#yaml-form");
  if (!response.ok || !fresh) return;
  if (takeIn(page.getElementById("yaml").value)) {
    form().elements.seen.value = fresh.elements.seen.value;
    say("");
  } else {
    say("Others edited the lines that you edit. Your text stays; applying it asks where both changed the same.");
  }
}

document.addEventListener("workbench:heard", ({ detail }) => {
  turn = turn.then(() => follow(Number(detail.revision))).catch(() => {});
});
