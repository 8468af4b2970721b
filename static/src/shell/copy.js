// [data-copy="#id"] or [data-copy-text="…"]: put a text on the clipboard and say so.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-copy-text]");
  if (!button) return;
  const text = button.dataset.copyText ?? document.querySelector(button.dataset.copy).textContent.trim();
  await navigator.clipboard.writeText(text);
  document.dispatchEvent(new CustomEvent("toast", { detail: { level: "success", text: "Copied." } }));
});
