// The replay: every way to move is a link or a form of the page; this file only presses them.
const PLAY_MS = 700;
let playing = 0;

const part = () => document.getElementById("replay");

function showCurrent(hasArrived) {
  const list = document.getElementById("replay-list");
  const row = list?.querySelector("[aria-current]");
  if (hasArrived) (row ?? list)?.focus({ preventScroll: true });
  if (!row) return;
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - outer.height / 2;
  const play = document.getElementById("play");
  play?.setAttribute("aria-pressed", String(Boolean(playing)));
}

function goTo(number) {
  const field = document.getElementById("step-number");
  if (!field || field.value === String(number)) return;
  field.value = number;
  field.form.requestSubmit();
}

function stop() {
  clearInterval(playing);
  playing = 0;
  document.getElementById("play")?.setAttribute("aria-pressed", "false");
}

function advance() {
  const next = document.getElementById("step-after");
  if (!next) return stop();
  return next.click();
}

function togglePlay() {
  if (playing) return stop();
  playing = setInterval(advance, PLAY_MS);
  document.getElementById("play").setAttribute("aria-pressed", "true");
  return advance();
}

document.addEventListener("click", (event) => {
  if (event.target.closest("#play")) return togglePlay();
  const map = event.target.closest("[data-minimap]");
  if (!map) return undefined;
  const box = map.getBoundingClientRect();
  const total = Number(map.dataset.minimap);
  return goTo(Math.min(total, Math.max(1, Math.floor(((event.clientX - box.left) / box.width) * total) + 1)));
});

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "g" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
    const field = document.getElementById("step-number");
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
    return;
  }
});

// What is typed there stays, rather than being drawn anew with the next step.
document.addEventListener("input", (event) => {
  if (playing && part()?.contains(event.target)) stop();
});

// After a form of the replay was sent, the list of steps takes the focus, so that keys move on from there.
// The form is asked of the answer itself: an older answer may settle after a newer form was sent.
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id !== "replay") return;
  showCurrent(Boolean(event.detail.requestConfig?.elt.closest("#replay form")));
});
showCurrent(false);
