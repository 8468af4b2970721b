// Words that were left in cells: what stands there by now is asked of the server, and the cell is opened to take them.
import { ask } from "../shell/session.js";
import { edit } from "./cells.js";

const CELL = /^(\S+\/cell\/)save\/ (.*)$/;

async function look(address, at) {
  const response = await ask(`${address}?at=${encodeURIComponent(at)}&edit=1`);
  if (!response.ok) return null;
  return new DOMParser().parseFromString(await response.text(), "text/html").querySelector("form");
}

async function open(address, at) {
  const row = document.querySelector(`#rows-table [data-case="${CSS.escape(address)}"]`);
  const cell = row?.querySelector(`.cell[data-at="${CSS.escape(at)}"]`);
  if (!cell) return null;
  await edit(cell);
  return row.querySelector(`.cell--edit[data-at="${CSS.escape(at)}"] form`);
}

for (const [name, act] of /** @type {const} */ ([["words:look", look], ["words:open", open]])) {
  document.addEventListener(name, ({ detail }) => {
    const known = CELL.exec(detail.record.place);
    if (known) detail.form = act(known[1], known[2]);
  });
}
