// The server writes data-theme from the cookie before first paint; here the switch only saves a reload.
document.addEventListener("submit", (event) => {
  const choice = event.submitter?.dataset.themeChoice;
  if (!choice) return;
  event.preventDefault();
  if (choice === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  for (const button of document.querySelectorAll("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", String(button.dataset.themeChoice === choice));
  }
  // It reaches the server also where the page is left at once.
  fetch(event.target.action, { method: "POST", body: new FormData(event.target, event.submitter), keepalive: true });
  document.dispatchEvent(new CustomEvent("packwright:theme", { detail: choice }));
});

// Search and palette change the theme by the button of the account's menu.
document.addEventListener("click", (event) => {
  const option = event.target.closest("[data-presses]");
  const button = option && document.querySelector(`[data-theme-choice="${option.dataset.presses}"]`);
  if (!button) return;
  event.preventDefault();
  option.closest("dialog")?.close();
  button.click();
});
