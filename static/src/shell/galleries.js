// Galleries of kinds that are part of a page: [data-kinds="page"].
import { listenForKinds, prepareKinds } from "./kinds.js";

for (const root of document.querySelectorAll('[data-kinds="page"]')) {
  listenForKinds(root);
  prepareKinds(root);
}
