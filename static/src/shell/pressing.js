// A press of the mouse means what it began on. Where an answer moves the page before the release, the browser clicks only what
// holds both places; what was pressed gets its click here.
const PRESSED = "a[href], button, summary, label, input";
// A hand that means no drag may still move the mouse by so much.
const STILL_PX = 4;
let press = null;

document.addEventListener("mousedown", ({ target, button, clientX, clientY }) => {
  const control = button === 0 && target.closest(PRESSED);
  press = control ? { control, clientX, clientY } : null;
}, true);

document.addEventListener("click", ({ target }) => {
  if (press?.control.contains(target)) press = null;
}, true);

document.addEventListener("mouseup", (event) => {
  const begun = press;
  const way = begun && Math.hypot(event.clientX - begun.clientX, event.clientY - begun.clientY);
  if (!begun || event.button || way > STILL_PX) return;
  // The browser's own click comes in the task of the release.
  setTimeout(() => {
    if (press !== begun) return;
    press = null;
    const isUsable = begun.control.getClientRects().length > 0 && !begun.control.matches(":disabled");
    if (isUsable) begun.control.dispatchEvent(new MouseEvent("click", event));
  });
}, true);
