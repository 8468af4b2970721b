// Menus are <details class="menu">: they work without this; here they also close on Escape, outside clicks and leaving.
function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== except) menu.open = false;
}

document.addEventListener("click", (event) => closeMenus(event.target.closest("details.menu")));
document.addEventListener("focusin", (event) => closeMenus(event.target.closest("details.menu")));
document.addEventListener("keydown", (event) => {
  const menu = event.target.closest?.("details.menu[open]");
  if (!menu) return;
  const items = [...menu.querySelectorAll(".menu__item")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") {
    menu.open = false;
    menu.querySelector("summary").focus();
  } else if (step && items.length) {
    event.preventDefault();
    const next = items.indexOf(document.activeElement) + step;
    items[(next + items.length) % items.length].focus();
  }
});
