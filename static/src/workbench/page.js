// Take over parts of a page that the server sent, keeping focus, caret and scroll.
import { Idiomorph } from "idiomorph";

const PARTS = [".bench__bar", ".bench__outline", ".bench__editor"];

export async function submit(form, submitter) {
  const data = new FormData(form, submitter);
  const response = await fetch(form.action, { method: "POST", body: data });
  return { response, page: new DOMParser().parseFromString(await response.text(), "text/html") };
}

export function takeOver(page, parts = PARTS) {
  for (const selector of parts) {
    const old = document.querySelector(selector);
    const fresh = page.querySelector(selector);
    if (!old || !fresh) continue;
    Idiomorph.morph(old, fresh, { morphStyle: "outerHTML", ignoreActiveValue: false });
    for (const control of document.querySelectorAll(`${selector} :is(input, textarea, select)`)) reset(control);
    window.htmx.process(document.querySelector(selector));
  }
}

// Morphing changes attributes; what a control shows follows only if it is told to.
function reset(control) {
  if (control.type === "checkbox") control.checked = control.defaultChecked;
  else if (control.tagName === "SELECT") {
    const chosen = [...control.options].find((option) => option.hasAttribute("selected"));
    if (chosen) control.value = chosen.value;
  } else if (control.type !== "hidden" && control.type !== "file") control.value = control.defaultValue;
}
