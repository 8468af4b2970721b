// .drop: files dropped on it go to its file input; [data-names] lists them; [data-submit-on-drop] sends the form.
function list(zone) {
  const input = zone.querySelector('input[type="file"]');
  const names = zone.querySelector("[data-names]");
  if (names) names.textContent = [...input.files].map((file) => file.name).join(", ");
}

for (const name of ["dragenter", "dragover"]) {
  document.addEventListener(name, (event) => {
    const zone = event.target.closest?.(".drop");
    if (!zone) return;
    event.preventDefault();
    zone.dataset.over = "";
  });
}

document.addEventListener("dragleave", (event) => {
  const zone = event.target.closest?.(".drop");
  if (zone && !zone.contains(event.relatedTarget)) delete zone.dataset.over;
});

document.addEventListener("drop", (event) => {
  const zone = event.target.closest?.(".drop");
  if (!zone) return;
  event.preventDefault();
  delete zone.dataset.over;
  const input = zone.querySelector('input[type="file"]');
  input.files = event.dataTransfer.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  if ("submitOnDrop" in zone.dataset) zone.closest("form").requestSubmit();
});

document.addEventListener("change", (event) => {
  const zone = event.target.matches('.drop input[type="file"]') && event.target.closest(".drop");
  if (zone) list(zone);
});
