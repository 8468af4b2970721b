// What others edit appears in the page, beside what is typed and not saved yet.
import { ask } from "../shell/session.js";
import { say } from "./answers.js";
import { moved, onBehind, takeHomeless } from "./fields.js";
import { takeOver } from "./page.js";

const shownRevision = () => document.getElementById("seen")?.value;
let turn = Promise.resolve();

// The field in use, whose place in the page may be another one by now.
function heldField() {
  const control = document.activeElement?.closest("#editor [name]");
  return control?.closest("[data-at]")?.dataset.at ?? "";
}

async function follow() {
  // Behind a dialog nothing changes; what is new is heard of again.
  if (document.querySelector("dialog[open]")) return;
  const [since, held] = [shownRevision(), heldField()];
  const address = new URL(window.location.href);
  address.searchParams.set("since", since);
  if (held) address.searchParams.set("held", held);
  const response = await ask(address.href);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.getElementById("editor");
  // What was saved meanwhile is newer.
  if (!response.ok || !fresh || shownRevision() !== since) return;
  const to = fresh.dataset.held;
  const isMoved = Boolean(held && to && to !== held);
  const placeOf = (name) => (isMoved ? renamed(name, held, to) : name);
  if (isMoved && "heldIsSame" in fresh.dataset) moved(held, to, Number(page.getElementById("seen").value));
  takeOver(page, { foldsKept: "#bench", placeOf });
  if (takeHomeless().length) say("Not saved: somebody else removed the field. What you typed is kept in this browser.", true);
  document.dispatchEvent(new CustomEvent("workbench:followed"));
}

function renamed(name, from, to) {
  const [code, at] = [name.slice(0, name.indexOf(":") + 1), name.slice(name.indexOf(":") + 1)];
  return at === from || at.startsWith(`${from}/`) ? code + to + at.slice(from.length) : name;
}

const followInTurn = () => (turn = turn.then(follow).catch(() => {}));

document.addEventListener("workbench:behind", followInTurn);
document.addEventListener("workbench:heard", ({ detail }) => {
  if ("gone" in detail) say("Somebody else removed this. What you typed here is kept in this browser.", true);
  if (Number(detail.revision) > Number(shownRevision())) followInTurn();
});
onBehind(followInTurn);
