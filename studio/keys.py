"""The keys of all pages in one table: what each means wherever it does something, and which of them scripts answer.

An element with `data-key` is pressed by that key, and the list behind `?` shows those that the page has, with their own
labels: it cannot show what does not work. What scripts answer stands here by page; `{% keys "grid" %}` lists it.
"""

# What sequences that begin with a key do: the second key is that of a place, or a letter of what is added.
SEQUENCES = {"a": "add to a list of the form", "g": "go somewhere"}

# What a single key means; besides, `j`, `k` and `G` move through lists.
MEANINGS = {
    ".": "play and pause",
    "[": "previous",
    "]": "next",
    "b": "change sides",
    "c": "compare, or what changed",
    "d": "duplicate",
    "e": "edit",
    "f": "first that needs attention",
    "h": "next hit of a search",
    "H": "previous hit of a search",
    "i": "import",
    "l": "log of a trial, its replay",
    "m": "make a case of it",
    "n": "new",
    "o": "open",
    "p": "problems",
    "P": "publish",
    "q": "quote what is selected",
    "r": "run",
    "s": "stored document",
    "t": "try an answer",
    "u": "leave it to others: skip",
    "v": "paste or import rows",
    "w": "width: hide or show what stands beside",
    "x": "choose",
    "y": "yes, do it",
}

# What scripts answer, by page.
PAGES = {
    "everywhere": (
        ("Ctrl K", "Search everything, or run a command"),
        ("/", "Search this page"),
        ("g then h p r v a", "Go to home, packs, runs, reviews, agents"),
        ("j k", "Next and previous row"),
        ("Enter", "Open the row"),
        ("g g, G", "First and last row"),
        ("?", "This list"),
    ),
    "workbench": (
        ("Enter", "Edit: go to the first field that lacks its value, or the first text"),
        ("Esc", "Leave a field"),
        ("F2", "Rename the node that has the focus in the outline"),
        ("Ctrl Z, Ctrl Shift Z", "Undo, redo (outside of text fields)"),
        ("Ctrl S", "Save now"),
        ("Ctrl Enter", "Save, and go to the next case or a new one"),
    ),
    "grid": (
        ("↑ ↓ ← →", "Another cell"),
        ("Enter", "Edit the cell; save it"),
        ("Esc", "Leave the cell as it was"),
        ("Space", "Choose the case"),
        ("o", "Open the case of the cell"),
        ("F2", "Rename the case whose key has the focus"),
        ("Ctrl V", "Paste rows from a spreadsheet"),
        ("Ctrl Z, Ctrl Shift Z", "Undo, redo"),
    ),
    "new": (("Ctrl Enter", "Create the pack"),),
    "launch": (("Ctrl Enter", "Start the run"),),
    "runs": (("x", "Choose the current run for a comparison"),),
    "compare": (("Enter", "Open or close the case"),),
    "tryout": (("Ctrl Enter", "Try the answer"),),
    "review": (
        ("0 to 9", "Score what comes next, or what has the focus: 1 is yes, 0 is no"),
        ("Enter", "Give the review, once all is scored"),
        ("Ctrl Enter", "Give the review"),
        ("q", "Quote what is selected in the final output"),
    ),
    "replay": (("Ctrl G", "Go to a step by its number"),),
}
