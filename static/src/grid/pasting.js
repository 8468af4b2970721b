// Ctrl+V beside the fields brings the clipboard to the page that shows what its rows would become.
const KEPT = "packwright:pasted";
const TYPING = "input:not([type=checkbox]), textarea, select, [contenteditable=true]";

document.addEventListener("paste", (event) => {
  const link = document.querySelector('a[data-key="v"]');
  if (!link || event.target.closest?.(TYPING)) return;
  const text = event.clipboardData.getData("text/plain");
  if (!text.trim()) return;
  event.preventDefault();
  sessionStorage.setItem(KEPT, text);
  window.location.assign(link.href);
});

const area = document.getElementById("table-text");
const kept = sessionStorage.getItem(KEPT);
if (area && kept) {
  sessionStorage.removeItem(KEPT);
  area.value = kept;
  area.form.requestSubmit();
}
