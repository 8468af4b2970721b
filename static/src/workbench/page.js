// Take over parts of a page that the server sent, keeping focus, caret and scroll.
import { Idiomorph } from "idiomorph";
import { ask, renew } from "../shell/session.js";
import { isUnsaved } from "./fields.js";

// The server does not know what of the outline is folded away.
const callbacks = { beforeAttributeUpdated: (name, node) => name !== "open" || !node.closest(".bench__outline") };
const PARTS = [".bench__bar", ".bench__outline", ".bench__editor"];

// Send a form; once more where its page is older than the session.
export async function send(form, submitter) {
  const post = () => ask(form.getAttribute("action"), { method: "POST", body: new FormData(form, submitter) });
  let response = await post();
  if (response.status === 403 && (await renew())) response = await post();
  return { response, page: new DOMParser().parseFromString(await response.text(), "text/html") };
}

export function takeOver(page, parts = PARTS) {
  const unsaved = [...document.querySelectorAll("#editor [name]")].filter(isUnsaved).map(note);
  for (const selector of parts) {
    const old = document.querySelector(selector);
    const fresh = page.querySelector(selector);
    if (!old || !fresh) continue;
    Idiomorph.morph(old, fresh, { morphStyle: "outerHTML", ignoreActiveValue: false, callbacks });
    for (const control of document.querySelectorAll(`${selector} :is(input, textarea, select)`)) reset(control);
    window.htmx.process(document.querySelector(selector));
  }
  unsaved.forEach(putBack);
}

// What was typed while the page was on its way is newer than the page.
const note = ({ name, value, checked, selectionStart: start, selectionEnd: end }) => ({ name, value, checked, start, end });

function putBack({ name, value, checked, start, end }) {
  const control = document.querySelector(`#editor [name="${CSS.escape(name)}"]:not([type=hidden])`);
  if (!control) return;
  control.checked = checked;
  control.value = value;
  if (control === document.activeElement && start !== null) control.setSelectionRange?.(start, end);
}

// Morphing changes attributes; what a control shows follows only if it is told to.
function reset(control) {
  if (control.type === "checkbox") control.checked = control.defaultChecked;
  else if (control.tagName === "SELECT") {
    const chosen = [...control.options].find((option) => option.hasAttribute("selected"));
    if (chosen) control.value = chosen.value;
  } else if (control.type !== "hidden" && control.type !== "file") control.value = control.defaultValue;
}
