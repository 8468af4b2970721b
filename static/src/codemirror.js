// The YAML editor. Loaded only where a page shows one.
import { autocompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { linter, lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const LINT_MS = 350;

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

export function mountYaml(area, { nonce, lint, typed, save }) {
  // What was typed into the area already is as new as what is typed from now on.
  let clean = area.defaultValue;
  let isReplacing = false;
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
  return {
    text: () => view.state.doc.toString(),
    isDirty: () => view.state.doc.toString() !== clean,
    // What the server has from now on.
    markClean: (text) => (clean = area.defaultValue = text),
    destroy() {
      area.removeEventListener("input", take);
      view.destroy();
    },
    // Only what differs is replaced, so that caret and scroll stay.
    replace(text) {
      const old = view.state.doc.toString();
      let start = 0;
      while (start < Math.min(old.length, text.length) && old[start] === text[start]) start += 1;
      let end = 0;
      while (end < Math.min(old.length, text.length) - start && old.at(-1 - end) === text.at(-1 - end)) end += 1;
      isReplacing = true;
      clean = area.defaultValue = text;
      if (old !== text) view.dispatch({ changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) } });
      isReplacing = false;
    },
  };
}
