// Where people are among the rows: at a cell, or at the key of the case that they have open.
import { attend } from "../workbench/presence.js";

const holds = (place, at) => at === place || at.startsWith(`${place}/`);

attend({
  inUse() {
    const used = document.activeElement;
    const row = used?.closest("#rows-table tr[data-node]");
    return row ? { node: row.dataset.node, at: used?.closest(".cell")?.dataset.place ?? "" } : {};
  },
  spotOf({ node, spot }) {
    const row = document.querySelector(`#rows-table tr[data-node="${CSS.escape(node)}"]`);
    const cell = spot && row && [...row.querySelectorAll(".cell")].find((each) => holds(each.dataset.place, spot));
    return cell ? cell.closest("td") : row?.querySelector(".rows__key");
  },
});
