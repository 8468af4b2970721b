// Polling stops while the page is hidden, or a menu in the polled part is open, and catches up when it is shown again.
// Answers are taken in the order in which they were asked for; what nobody asked for by hand gives way to what somebody
// did: [data-poll] asks by itself, [data-follows] shows anew what changed elsewhere.
const POLL = "[data-poll]";
const BY_ITSELF = "[data-poll], [data-follows]";
const asked = new WeakMap();
const watched = new WeakSet();
// By the id of a part: when its answer was asked for, and when it was drawn.
const parts = new Map();
let clock = 0;

const hasOpenMenu = (part) => Boolean(part?.querySelector("details[open]"));

function wasDrawnSince(target, since) {
  return [...parts].some(([id, { drawn }]) => {
    const part = document.getElementById(id);
    return drawn > since && part && (part.contains(target) || target.contains(part));
  });
}

function isOutdated({ elt, target, xhr }) {
  const since = asked.get(xhr);
  if (!elt.matches(BY_ITSELF)) return (parts.get(target.id)?.asked ?? 0) > since;
  return !target.isConnected || wasDrawnSince(target, since) || (elt.matches(POLL) && hasOpenMenu(target));
}

function check(event) {
  if (event.target === event.detail.target && isOutdated(event.detail)) event.preventDefault();
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, target, xhr } = event.detail;
  if (elt.matches(POLL) && (document.hidden || hasOpenMenu(target))) {
    event.preventDefault();
    return;
  }
  asked.set(xhr, ++clock);
  if (watched.has(target)) return;
  // At the part itself: an event of one that is no longer in the page reaches nothing else.
  watched.add(target);
  target.addEventListener("htmx:beforeSwap", check);
});

document.addEventListener("htmx:afterSwap", ({ detail: { elt, target, xhr } }) => {
  if (target.id && !elt.matches(BY_ITSELF)) parts.set(target.id, { asked: asked.get(xhr), drawn: ++clock });
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  for (const element of document.querySelectorAll(POLL)) window.htmx.trigger(element, "poll");
});
