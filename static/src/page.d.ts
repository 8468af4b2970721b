// What the type checker cannot know of pages: scripts look up elements that the templates promise, and events come from
// such elements, so neither is narrowed at every look.

type Listener = (event: any) => unknown;

interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Element {
  closest(selectors: string): any;
}

interface Document {
  getElementById(id: string): any;
  addEventListener(type: string, listener: Listener, options?: boolean | AddEventListenerOptions): void;
}

interface Window {
  htmx: typeof htmx;
  addEventListener(type: string, listener: Listener, options?: boolean | AddEventListenerOptions): void;
}

declare function addEventListener(type: string, listener: Listener, options?: boolean | AddEventListenerOptions): void;

declare const htmx: {
  process(element: Element): void;
  swap(target: Element, content: string, how: object, options: object): void;
  trigger(element: Element, name: string, detail?: unknown): void;
  ajax(verb: string, path: string, context?: unknown): Promise<void>;
};

declare const Idiomorph: { morph(from: Element, to: unknown, options?: unknown): void };
