// [data-print]: print the page.
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) print();
});
