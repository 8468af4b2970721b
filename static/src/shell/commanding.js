// When keys are commands of the page, and not words of a field or answers to a dialog.
const TYPING = "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable=true], .cm-editor";

/**
 * Whether a field or a dialog takes an event. A field of a dialog that was just closed has the focus until the page is
 * drawn, and takes nothing.
 * @param {Event & { target: any }} event
 */
export function isTaken(event) {
  return Boolean(event.target.closest?.(TYPING)?.checkVisibility() || document.querySelector("dialog[open]"));
}

/**
 * Whether a key without Ctrl, Alt or the like commands nothing.
 * @param {KeyboardEvent & { target: any }} event
 */
export function standsDown(event) {
  return (
    event.defaultPrevented || event.isComposing || event.altKey || event.ctrlKey || event.metaKey ||
    event.getModifierState("AltGraph") || isTaken(event)
  );
}
