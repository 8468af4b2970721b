// Ctrl+V beside the fields brings the clipboard to the page that shows what its rows would become.
import { isTaken } from "../shell/commanding.js";

const KEPT = "packwright:pasted";

document.addEventListener("paste", (event) => {
  const link = document.querySelector('a[data-key="v"]');
  if (!link || isTaken(event)) return;
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
