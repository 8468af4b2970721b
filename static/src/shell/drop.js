// .drop: files dropped on it go to its file input; [data-names] lists them; [data-submit-on-drop] sends the form.
// A folder, dropped or chosen by [data-choose-folder], becomes an archive.
import { archiveOfChosen, packed } from "./archive.js";

function list(zone) {
  const input = zone.querySelector('input[type="file"]');
  tell(zone, [...input.files].map((file) => file.name).join(", "));
}

function tell(zone, text) {
  const names = zone.querySelector("[data-names]");
  if (names) names.textContent = text;
}

function give(zone, files) {
  const input = zone.querySelector('input[type="file"]');
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  input.files = transfer.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

async function pack(zone, make) {
  tell(zone, "Packing the folder …");
  try {
    give(zone, await make());
    return true;
  } catch (error) {
    tell(zone, error instanceof RangeError ? error.message : "The folder could not be read. Choose an archive of it.");
    return false;
  }
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

document.addEventListener("drop", async (event) => {
  const zone = event.target.closest?.(".drop");
  if (!zone) return;
  event.preventDefault();
  delete zone.dataset.over;
  // Both lists are gone once the event is over.
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.());
  const files = [...event.dataTransfer.files];
  if (!entries.some((entry) => entry?.isDirectory)) give(zone, files);
  else if (!(await pack(zone, () => packed(entries, files)))) return;
  if ("submitOnDrop" in zone.dataset) zone.closest("form").requestSubmit();
});

document.addEventListener("change", (event) => {
  const zone = event.target.matches('.drop input[type="file"]') && event.target.closest(".drop");
  if (zone) list(zone);
});

document.addEventListener("click", (event) => {
  const zone = event.target.closest?.("[data-choose-folder]")?.closest(".drop");
  if (!zone) return;
  const input = Object.assign(document.createElement("input"), { type: "file", webkitdirectory: true });
  input.addEventListener("change", () => {
    const { files } = input;
    if (files?.length) pack(zone, async () => [await archiveOfChosen(files)]);
  });
  input.click();
});
