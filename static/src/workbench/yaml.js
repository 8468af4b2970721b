// The lens pane: it follows saved changes; its YAML is a code editor whose changes are saved as they are typed.
import { say } from "./answers.js";
import { flush } from "./fields.js";
import { submit, takeOver } from "./page.js";

const FOLLOW_MS = 120;
const SAVE_MS = 700;
let editor = null;
let following;
let saving;

const form = () => document.getElementById("yaml-form");
const state = (text) => {
  const place = document.getElementById("yaml-state");
  if (place) place.textContent = text;
};

async function lint(text) {
  const data = new FormData(form());
  data.set("text", text);
  const response = await fetch(form().dataset.lint, { method: "POST", body: data });
  return response.ok ? (await response.json()).findings : [];
}

async function save() {
  clearTimeout(saving);
  const yaml = form();
  if (!yaml || !editor?.isDirty()) return;
  if ("manual" in yaml.dataset) {
    yaml.requestSubmit();
    return;
  }
  await flush();
  const text = editor.text();
  state("Saving…");
  const { response, page } = await submit(yaml);
  if (response.status === 422) {
    state("Not saved: the text has an error. What is stored is unchanged.");
    say("Not saved", true);
    return;
  }
  if (!response.ok && response.status !== 409) {
    state("Not saved; try again.");
    return;
  }
  if (editor.text() === text) editor.markClean();
  takeOver(page);
  const seen = page.querySelector("#yaml-form [name=seen]");
  if (seen) yaml.elements.seen.value = seen.value;
  state(response.ok ? "Saved" : "Somebody else changed the same place; see the form.");
}

function typed() {
  if (!editor.isDirty()) return;
  if ("manual" in form().dataset) {
    state("Not saved yet");
    return;
  }
  state("Editing…");
  clearTimeout(saving);
  saving = setTimeout(save, SAVE_MS);
}

async function mount() {
  const area = document.getElementById("yaml");
  editor?.destroy();
  editor = null;
  if (!area) return;
  const { mountYaml } = await import(document.getElementById("codemirror").href);
  const nonce = document.querySelector('meta[name="csp-nonce"]').content;
  editor = mountYaml(area, { nonce, lint, typed, save });
}

async function follow() {
  const lens = document.getElementById("lens");
  // What is typed under "Try" is no view of the draft, and stays.
  if (!lens || lens.dataset.lens === "try" || editor?.isDirty()) return;
  if (lens.dataset.lens !== "yaml") {
    await window.htmx.ajax("GET", lens.dataset.refresh, { target: lens, swap: "morph:outerHTML" });
    return;
  }
  const response = await fetch(lens.dataset.refresh);
  if (!response.ok || editor?.isDirty()) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.getElementById("yaml");
  if (!fresh || !form()) return;
  editor?.replace(fresh.value);
  form().elements.seen.value = page.querySelector("#yaml-form [name=seen]").value;
}

document.addEventListener("workbench:saved", () => {
  clearTimeout(following);
  following = setTimeout(follow, FOLLOW_MS);
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.elt?.id === "lens") mount();
});

document.addEventListener("submit", (event) => {
  if (event.target !== form() || "manual" in form().dataset) return;
  event.preventDefault();
  save();
});

mount();
