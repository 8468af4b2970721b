// What a form is called across visits of its page, and what its controls hold. Forms may have controls named "action" or
// "id", so their attributes are asked.
/** @typedef {{name: string, nth: number, option?: string, isTyped: boolean, value: any, stored: any, label: string}} Word what a control holds */

const KEPT = "input:not([type=hidden], [type=file], [type=password], [type=submit], [type=button], [type=reset]), textarea, select";

export const isForm = (form) => form?.getAttribute("method")?.toLowerCase() === "post" && !("unkept" in form.dataset);
export const isKept = (control) => Boolean(control.name && control.matches?.(KEPT) && isForm(control.form) && !("unkept" in control.dataset));

export const actionOf = (form) => form.getAttribute("action") || window.location.pathname + window.location.search;

/**
 * The same form of the same thing: where it goes to, its id, and the field that it is about.
 * @param {HTMLFormElement} form
 */
export function placeOf(form) {
  const at = form.querySelector('input[type=hidden][name="at"]')?.value;
  return [actionOf(form), form.getAttribute("id"), at].filter(Boolean).join(" ");
}

export const formAt = (place, root = document) => [...root.querySelectorAll("form")].find((form) => isForm(form) && placeOf(form) === place) ?? null;

const isRadio = (control) => control.type === "radio";
const namesakes = (form, name) => [...form.elements].filter((each) => each.name === name && each.matches(KEPT));

function valueOf(control) {
  if (isRadio(control)) return namesakes(control.form, control.name).find((each) => each.checked)?.value ?? "";
  if (control.type === "checkbox") return control.checked;
  if (control.multiple && control.options) return JSON.stringify([...control.selectedOptions].map((option) => option.value));
  return control.value;
}

// What the server drew.
export function storedValueOf(control) {
  if (isRadio(control)) return namesakes(control.form, control.name).find((each) => each.defaultChecked)?.value ?? "";
  if (control.type === "checkbox") return control.defaultChecked;
  if (!control.options) return control.defaultValue;
  const drawn = [...control.options].filter((option) => option.defaultSelected).map((option) => option.value);
  return control.multiple ? JSON.stringify(drawn) : (drawn[0] ?? control.options[0]?.value ?? "");
}

function labelOf(control) {
  const group = isRadio(control) && control.closest("fieldset")?.querySelector("legend");
  const words = group || control.labels?.[0];
  return (control.dataset.words || words?.textContent || control.getAttribute("aria-label") || control.name).trim().replace(/\s+/g, " ");
}

const squeezed = (value) => (typeof value === "string" ? value.replace(/[\r\n]/g, "") : value);

// Browsers write line ends in their own way.
export const isStored = (control) => squeezed(valueOf(control)) === squeezed(storedValueOf(control));
export const shows = (form, word) => {
  const control = controlOf(form, word);
  return Boolean(control) && valueOf(control) === word.value;
};

/**
 * The control's name and its place among those of the same name; of radio buttons all together are one.
 * @returns {Word}
 */
export function wordOf(control) {
  const nth = isRadio(control) ? 0 : namesakes(control.form, control.name).indexOf(control);
  const option = control.type === "checkbox" ? control.value : undefined;
  const isTyped = !control.options && !isRadio(control) && option === undefined;
  return { name: control.name, nth, option, isTyped, value: valueOf(control), stored: storedValueOf(control), label: labelOf(control) };
}

/** @type {(word: Pick<Word, "name" | "nth">) => string} */
export const keyOf = (word) => `${word.name} ${word.nth}`;

export function controlOf(form, word) {
  const found = namesakes(form, word.name);
  return (found[0] && isRadio(found[0]) ? found.find((each) => each.value === word.value) : found[word.nth]) ?? null;
}

// Whether a control took a value: a choice may be gone.
export function put(control, value) {
  if (isRadio(control) || control.type === "checkbox") control.checked = isRadio(control) || value;
  else if (control.multiple && control.options) for (const option of control.options) option.selected = JSON.parse(value).includes(option.value);
  else control.value = value;
  return valueOf(control) === value;
}

// From now on this is what the server has.
export function markStored(control, { value }) {
  if (isRadio(control)) for (const each of namesakes(control.form, control.name)) each.defaultChecked = each.value === value;
  else if (control.type === "checkbox") control.defaultChecked = value;
  else if (!control.options) control.defaultValue = value;
  else {
    const chosen = control.multiple ? JSON.parse(value) : [value];
    for (const option of control.options) option.defaultSelected = chosen.includes(option.value);
  }
}

/**
 * Whether what was sent holds a word as it stands.
 * @param {FormData} data
 * @param {Pick<Word, "name" | "value" | "option">} word
 */
export function isIn(data, { name, value, option }) {
  const sent = data.getAll(name);
  return option === undefined ? sent.includes(value) : sent.includes(option) === value;
}
