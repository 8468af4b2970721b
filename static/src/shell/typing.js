// A form that shows what it would do answers its last state only: what is still under way when somebody types on would
// put older values over the newer ones.
document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-newest]");
  if (form) window.htmx.trigger(form, "htmx:abort");
});
