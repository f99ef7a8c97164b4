import { docsWords } from "./words.ts";

/** Milliseconds for which a button says what it did. */
const saidMs = 2_000;

/** Puts a button that copies it above each block of code, where the browser lets pages copy. */
export function addCopyButtons(blocks = "article pre"): void {
  if (navigator.clipboard === undefined) return;
  for (const code of document.querySelectorAll(blocks)) {
    const box = code.parentElement;
    if (box === null) continue;
    const frame = document.createElement("div");
    frame.className = "docs-code";
    box.replaceWith(frame);
    frame.append(buttonFor(code), box);
  }
}

function buttonFor(code: Element): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button-small";
  button.textContent = docsWords.copy;
  let timer: number | undefined;
  const say = (words: string) => {
    button.textContent = words;
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      button.textContent = docsWords.copy;
    }, saidMs);
  };
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(code.textContent ?? "").then(
      () => say(docsWords.copied),
      () => say(docsWords.copyRefused),
    );
  });
  return button;
}
