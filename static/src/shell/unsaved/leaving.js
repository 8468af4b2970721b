// What becomes of the words of a form that was sent as a page, of those that nothing can keep, and of all at signing out.
import { arrival } from "../arrival.js";
import { actionOf, controlOf, formAt, isForm, storedValueOf } from "./controls.js";
import { all, forget, person, read } from "./store.js";
import { adopt, end, isAtRisk, keepNow, sent } from "./typed.js";

const SENT = "packwright:sent";

function remember(value) {
  try {
    if (value) sessionStorage.setItem(SENT, JSON.stringify(value));
    else sessionStorage.removeItem(SENT);
  } catch {
    // Without the store the words are offered once more, though the server may have them.
  }
}

function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(SENT) ?? "null");
  } catch {
    return null;
  } finally {
    remember(null);
  }
}

const plain = (address) => new URL(address, window.location.href).href.replace(/#.*/, "");
const shows = (form, record) => record.words.every((word) => {
  const control = controlOf(form, word);
  return control && storedValueOf(control) === word.value;
});
const hasTrouble = () => document.querySelector("#toasts > .toast--error, #toasts > .toast--warning") !== null;

// This page is the answer to a form. One that leads on has taken it; one that shows the form again with all that was
// typed, or refuses it, has not. What is not known is kept, and offered.
export function judge() {
  const known = remembered();
  const record = known && person() && read(known.id);
  const visit = arrival();
  if (!record || visit?.type !== "navigate" || document.referrer !== known.page || hasTrouble()) return;
  const isFine = (visit.responseStatus || 200) < 400;
  if (visit.redirectCount) {
    if (isFine) forget(record.id);
    return;
  }
  if (plain(window.location.href) !== known.action) return;
  const form = formAt(record.place);
  if (form && shows(form, record)) adopt(record);
  else if (isFine) forget(record.id);
}

// At the window, so that code that sends a form in another way has said so by then.
window.addEventListener("submit", (event) => {
  if (event.defaultPrevented || !isForm(event.target)) return;
  const known = sent(event.target);
  if (known) remember({ id: known.id, page: plain(window.location.href), action: plain(actionOf(event.target)) });
});

window.addEventListener("beforeunload", (event) => {
  keepNow();
  if (isAtRisk()) event.preventDefault();
});

// Signing out forgets what is kept, and says so before; in front of everybody who would send the form.
window.addEventListener("submit", (event) => {
  const form = event.target;
  if (!("signsOut" in form.dataset)) return;
  keepNow();
  const records = all();
  if (records.length && !form.dataset.agreed) {
    const many = records.length === 1 ? "one place" : `${records.length} places`;
    form.dataset.confirm = `What you typed in ${many} was not saved: ${records.slice(0, 3).map((record) => `“${record.title}”`).join(", ")}. Signing out throws it away.`;
    form.dataset.confirmLabel = "Sign out";
    form.dataset.danger = "";
    return;
  }
  for (const record of records) forget(record.id);
  end();
}, true);
