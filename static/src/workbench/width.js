// [data-wide] hides the lenses, so that the form is wide and long texts stand beside their previews; the browser keeps it.
const NAME = "packwright:wide";
const bench = document.getElementById("bench");
const button = bench?.querySelector("[data-wide]");

function kept() {
  try {
    return localStorage.getItem(NAME) === "yes";
  } catch {
    return false;
  }
}

function show(isWide) {
  bench.classList.toggle("bench--wide", isWide);
  button.setAttribute("aria-pressed", String(isWide));
}

if (button) {
  show(kept());
  button.addEventListener("click", () => {
    const isWide = !bench.classList.contains("bench--wide");
    show(isWide);
    try {
      localStorage.setItem(NAME, isWide ? "yes" : "no");
    } catch {
      // A browser that keeps nothing still shows it.
    }
  });
}
