// The YAML editor. Loaded only where a page shows one.
import { autocompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { linter, lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { ChangeSet, EditorState, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const LINT_MS = 350;
// Keys by which items of lists are known.
const NAMES = new Set(["key", "case_key", "id"]);

// Colours are the page's own variables, so the editor follows its theme.
const theme = EditorView.theme({
  "&": { backgroundColor: "var(--surface)", color: "var(--text)", fontSize: "var(--text-s)", height: "100%" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--faint)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-1px" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-soft)" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", color: "var(--text)", border: "1px solid var(--line-strong)" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--text)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--grey-soft)", color: "var(--muted)", border: "0" },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--green)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--violet)" },
  { tag: [tags.keyword, tags.atom], color: "var(--violet)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.punctuation, tags.separator], color: "var(--muted)" },
  { tag: tags.invalid, color: "var(--red)" },
]);

const SEVERITY = { error: "error", warning: "warning", note: "info" };

function diagnostic(state, finding) {
  const line = state.doc.line(Math.min(Math.max(1, finding.line || 1), state.doc.lines));
  const from = Math.min(line.to, line.from + Math.max(0, (finding.column || 1) - 1));
  const message = finding.hint ? `${finding.message} ${finding.hint}` : finding.message;
  return { from, to: Math.max(from, line.to), severity: SEVERITY[finding.severity] || "info", source: finding.code, message };
}

// The one stretch in which two texts differ, as a change of the old one.
function change(old, text) {
  let start = 0;
  while (start < Math.min(old.length, text.length) && old[start] === text[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, text.length) - start && old.at(-1 - end) === text.at(-1 - end)) end += 1;
  return { from: start, to: old.length - end, insert: text.slice(start, text.length - end) };
}

const changes = (old, text) => ChangeSet.of(old === text ? [] : change(old, text), old.length);

const lineEnd = (text, from) => (text.indexOf("\n", from) + 1 || text.length + 1) - 1;

// What people call an item of a list: what it states as its key, or its number.
function nameOf(state, item) {
  const text = ({ from, to }) => state.sliceDoc(from, to);
  const pairs = item.getChild("BlockMapping")?.getChildren("Pair") ?? [];
  const stated = pairs.find((pair) => NAMES.has(text(pair.getChild("Key") ?? pair)))?.lastChild;
  if (stated) return text(stated).replace(/^(["'])(.*)\1$/, "$2");
  let number = 1;
  for (let before = item.prevSibling; before; before = before.prevSibling) number += Number(before.name === "Item");
  return String(number);
}

// Where a caret is: the keys and items around it.
function place(state) {
  const words = [];
  /** @type {import("@lezer/common").SyntaxNode | null} */
  let node = syntaxTree(state).resolveInner(state.selection.main.head, -1);
  for (; node; node = node.parent) {
    const key = node.name === "Pair" && node.getChild("Key");
    if (key) words.unshift(state.sliceDoc(key.from, key.to));
    if (node.name === "Item") words.unshift(nameOf(state, node));
  }
  return words.join(" › ");
}

export function mountYaml(area, { nonce, lint, typed, save }) {
  // What was typed into the area already is as new as what is typed from now on.
  let clean = area.defaultValue;
  let isReplacing = false;
  // What was typed since the clean text.
  let typedSince = changes(clean, area.value);
  const isInUse = area === document.activeElement;
  const anchor = area.selectionStart;
  const parent = document.createElement("div");
  parent.className = "lens__code";
  area.after(parent);
  area.hidden = true;
  const view = new EditorView({
    parent,
    doc: area.value,
    extensions: [
      EditorView.cspNonce.of(nonce),
      EditorState.readOnly.of(area.readOnly),
      EditorView.contentAttributes.of({ tabindex: "0", "aria-label": area.labels[0]?.textContent || "YAML" }),
      lineNumbers(),
      foldGutter(),
      history(),
      drawSelection(),
      EditorView.lineWrapping,
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      autocompletion(),
      yaml(),
      syntaxHighlighting(colours),
      theme,
      lintGutter(),
      linter(async (editor) => {
        const { state } = editor;
        const found = await lint(state.doc.toString());
        return found.map((finding) => diagnostic(state, finding));
      }, { delay: LINT_MS }),
      keymap.of([
        { key: "Mod-s", run: () => (save(), true) },
        // Escape, then Tab leaves the editor; Tab alone indents.
        indentWithTab, ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...searchKeymap, ...lintKeymap,
      ]),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        area.value = update.state.doc.toString();
        if (isReplacing) return;
        typedSince = typedSince.compose(update.changes);
        area.dispatchEvent(new CustomEvent("words:typed", { bubbles: true }));
        typed();
      }),
    ],
  });
  // A person who writes into the area itself types.
  const take = () => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: area.value } });
  area.addEventListener("input", take);
  if (isInUse) {
    view.dispatch({ selection: { anchor } });
    view.focus();
  }
  // What others wrote is no step that undo takes back.
  function put(made) {
    isReplacing = true;
    if (!made.empty) view.dispatch({ changes: made, annotations: Transaction.addToHistory.of(false) });
    isReplacing = false;
  }
  return {
    text: () => view.state.doc.toString(),
    isDirty: () => view.state.doc.toString() !== clean,
    // What the server has from now on.
    markClean(text) {
      clean = area.defaultValue = text;
      typedSince = changes(text, view.state.doc.toString());
    },
    // Where the caret is, in words.
    place: () => place(view.state),
    destroy() {
      area.removeEventListener("input", take);
      view.destroy();
    },
    // Only what differs is replaced, so that caret and scroll stay.
    replace(text) {
      const made = changes(view.state.doc.toString(), text);
      clean = area.defaultValue = text;
      typedSince = ChangeSet.empty(text.length);
      put(made);
    },
    // What others changed of the clean text, beside what was typed; false where both changed the same lines.
    follow(text) {
      const theirs = changes(clean, text);
      const { from, to } = change(clean, text);
      if (typedSince.touchesRange(clean.lastIndexOf("\n", from - 1) + 1, lineEnd(clean, to))) return false;
      const made = theirs.map(typedSince);
      typedSince = typedSince.map(theirs, true);
      clean = area.defaultValue = text;
      put(made);
      return true;
    },
  };
}
