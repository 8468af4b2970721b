// A page for scripts of the front end: its globals are those of a browser.
import { JSDOM } from "jsdom";

const NAMES = [
  "CustomEvent", "DOMParser", "Document", "Element", "Event", "File", "FormData", "HTMLElement", "HTMLFormElement",
  "KeyboardEvent", "MouseEvent", "Node", "document", "localStorage", "sessionStorage", "location", "window",
];

export function open(body, url = "https://studio.test/packs/?q=a") {
  const { window } = new JSDOM(`<!doctype html><body data-person="7">${body}</body>`, { url, pretendToBeVisual: true });
  for (const name of NAMES) Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
  globalThis.addEventListener = window.addEventListener.bind(window);
  return window.document;
}
