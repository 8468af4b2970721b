// Where people are in the form of a node, and in the text of the whole pack.
import { attend } from "./presence.js";
import { wordsAtCaret } from "./yaml.js";

const HEADS = ":scope > .fld__head, :scope > .part > summary, :scope > details > summary";

const inForm = {
  inUse: () => ({ at: document.activeElement?.closest("#editor [data-at]")?.dataset.at ?? "" }),
  spotOf({ place }) {
    const field = place ? document.querySelector(`#editor [data-at="${CSS.escape(place)}"]`) : null;
    return field?.querySelector(HEADS) ?? field;
  },
};

const inText = { inUse: () => ({ words: wordsAtCaret() }), spotOf: () => null };

attend(document.getElementById("bench") ? inForm : inText);
