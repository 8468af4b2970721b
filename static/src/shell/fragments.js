// Polling stops while the page is hidden and catches up when it is shown again.
const POLL = "[data-poll]";

document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && event.target.matches(POLL)) event.preventDefault();
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  for (const element of document.querySelectorAll(POLL)) window.htmx.trigger(element, "poll");
});
