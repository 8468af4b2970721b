// [data-dialog="id"] opens a <dialog>; a link keeps leading to its page where there is no script.
// form[data-confirm="question"] and hx-confirm ask in one shared dialog.
const asking = () => document.getElementById("confirm");

export function openDialog(dialog) {
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("[autofocus]")?.focus();
}

function ask(question, { label, danger }, agreed) {
  const dialog = asking();
  dialog.querySelector("[data-question]").textContent = question;
  const button = dialog.querySelector("[data-agree]");
  button.textContent = label || "Continue";
  button.className = danger ? "button button--danger" : "button button--primary";
  dialog.onclose = () => dialog.returnValue === "agree" && agreed();
  dialog.returnValue = "";
  openDialog(dialog);
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-dialog]");
  const dialog = opener && document.getElementById(opener.dataset.dialog);
  if (dialog) {
    event.preventDefault();
    openDialog(dialog);
  } else if (event.target.closest("[data-close]")) {
    event.target.closest("dialog")?.close();
  } else if (event.target.matches("dialog[open]") && event.detail) {
    event.target.close();
  }
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.confirm || form.dataset.agreed) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const { submitter } = event;
  ask(form.dataset.confirm, { label: form.dataset.confirmLabel, danger: "danger" in form.dataset }, () => {
    form.dataset.agreed = "yes";
    form.requestSubmit(submitter);
    delete form.dataset.agreed;
  });
}, true);

document.addEventListener("htmx:confirm", (event) => {
  if (!event.detail.question) return;
  event.preventDefault();
  const { dataset } = event.detail.elt;
  const words = { label: dataset.confirmLabel, danger: "danger" in dataset };
  ask(event.detail.question, words, () => event.detail.issueRequest(true));
});
