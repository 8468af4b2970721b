// Galleries of kinds that are part of a page: [data-kinds="page"].
import { listenForKinds, prepareKinds } from "./kinds.js";

for (const root of document.querySelectorAll('[data-kinds="page"]')) {
  listenForKinds(root);
  prepareKinds(root);
  // The search shows only once scripts run, by when the browser may have passed over its autofocus.
  if (document.activeElement === document.body) root.querySelector("[autofocus]")?.focus();
}
