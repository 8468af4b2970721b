// Polling stops while the page is hidden, or a menu in the polled part is open, and catches up when it is shown again.
const POLL = "[data-poll]";

document.addEventListener("htmx:beforeRequest", (event) => {
  const poll = event.target.closest?.(POLL);
  if (poll && (document.hidden || poll.querySelector("details[open]"))) event.preventDefault();
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  for (const element of document.querySelectorAll(POLL)) window.htmx.trigger(element, "poll");
});
