// In a queue, the page of the next trial is fetched while somebody reviews this one. It is shown once their review is kept.
import { ask } from "../shell/session.js";

const here = () => window.location.pathname + window.location.search;
let shown = here();
let ahead = null;
let isSending = false;

async function fetchPage(address) {
  try {
    const response = await ask(address);
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

function lookAhead() {
  const address = document.querySelector("form[data-ahead]")?.dataset.ahead;
  ahead = address ? { address, page: fetchPage(address) } : null;
}

function draw(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  document.title = page.title;
  document.querySelector(".crumbs").replaceWith(page.querySelector(".crumbs"));
  const [part, drawn] = [document, page].map((whole) => whole.querySelector("#main > .page"));
  window.htmx.swap(part, drawn.outerHTML, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 }, { eventInfo: { target: part } });
  window.scrollTo(0, 0);
  document.getElementById("main").focus({ preventScroll: true });
}

async function goOn({ next, progress }) {
  const page = next === ahead?.address ? await ahead.page : null;
  if (!page) return window.location.assign(next);
  draw(page);
  document.getElementById("progress").outerHTML = progress;
  window.history.pushState(null, "", next);
  shown = here();
  return lookAhead();
}

function refuse(text) {
  document.dispatchEvent(new CustomEvent("toast", { detail: { level: "error", text } }));
}

async function give(form) {
  const response = await ask(form.action, { method: "POST", body: new FormData(form) });
  if (response.ok) {
    form.dispatchEvent(new CustomEvent("words:saved", { bubbles: true }));
    await goOn(await response.json());
  } else if ([409, 422].includes(response.status)) draw(await response.text());
  else if (response.status !== 401) refuse(`The server could not do this (${response.status}). Your review is still on this page.`);
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || !("ahead" in form.dataset)) return;
  event.preventDefault();
  if (isSending) return;
  isSending = true;
  try {
    await give(form);
  } catch {
    refuse("The server did not answer. Your review is still on this page; try again.");
  } finally {
    isSending = false;
  }
});

// Going back: pages that were drawn here are asked for anew.
window.addEventListener("popstate", () => {
  if (here() !== shown) window.location.reload();
});

lookAhead();
