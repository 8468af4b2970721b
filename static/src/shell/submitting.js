// A form that Ctrl or Cmd with Enter sends, of several the one that has the focus, and a choice that is used at once.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  if (document.querySelector("dialog[open]")) return;
  const form = event.target.closest?.("form[data-submit-with-enter]") ?? document.querySelector("form[data-submit-with-enter]");
  if (!form) return;
  event.preventDefault();
  form.requestSubmit();
});

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submit-on-change]")) event.target.form.requestSubmit();
});
