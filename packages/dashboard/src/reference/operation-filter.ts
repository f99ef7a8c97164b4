import { fold } from "@clew/text/basics";
import { referenceWords } from "./words.ts";

/** The search field: it keeps those links of the list whose operations have every word that is typed. */
export class OperationFilter {
  readonly #place = part<HTMLElement>("search");
  readonly #field = part<HTMLInputElement>("search input");
  readonly #list = part<HTMLElement>("#operations");
  readonly #status = part<HTMLElement>("#operations [role=status]");

  start(): void {
    this.#place.hidden = false;
    this.#field.addEventListener("input", () => this.#filter());
    this.#field.addEventListener("keydown", (event) => this.#onFieldKey(event));
    this.#list.addEventListener("keydown", (event) => this.#onListKey(event));
    document.addEventListener("keydown", (event) => this.#onSlash(event));
    this.#showCurrent();
    // In a narrow window a link in the list has done what the list was opened for.
    this.#list.addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest("a") !== null && this.#isPopover())
        this.#list.hidePopover();
    });
  }

  #filter(): void {
    const words = fold(this.#field.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const item of this.#list.querySelectorAll<HTMLElement>("li")) {
      const text = item.dataset.words ?? "";
      item.hidden = !words.every((word) => text.includes(word));
      if (!item.hidden) count += 1;
    }
    for (const group of this.#list.querySelectorAll<HTMLElement>("section, details")) {
      const isEmpty = group.querySelector("li:not([hidden])") === null;
      group.hidden = isEmpty;
      if (group instanceof HTMLDetailsElement) group.open = words.length > 0 && !isEmpty;
    }
    if (words.length === 0) this.#showCurrent();
    this.#status.textContent = statusOf(words.length, count);
    if (words.length > 0 && this.#isNarrow() && !this.#isPopover()) this.#list.showPopover();
  }

  /** Unfolds what the present page is in, and scrolls the list to it. */
  #showCurrent(): void {
    const current = this.#list.querySelector<HTMLElement>("[aria-current]");
    const messages = current?.closest("details");
    if (messages) messages.open = true;
    const { clientHeight } = this.#list;
    if (current && current.offsetTop > clientHeight)
      this.#list.scrollTop = current.offsetTop - clientHeight / 2;
  }

  #onFieldKey(event: KeyboardEvent): void {
    const [first] = this.#links();
    if (event.key === "Escape" && this.#field.value !== "") {
      event.preventDefault();
      this.#field.value = "";
      this.#filter();
    }
    if (first === undefined || this.#field.value === "") return;
    if (event.key === "ArrowDown") {
      event.preventDefault();
      first.focus();
    }
    if (event.key === "Enter") first.click();
  }

  /** Arrows go through the list, and back to the field. */
  #onListKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !(event.target instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    const links = this.#links();
    const at = links.indexOf(event.target) + step;
    if (at < 0) this.#field.focus();
    else links[Math.min(at, links.length - 1)]?.focus();
  }

  #onSlash(event: KeyboardEvent): void {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest("input, textarea, select") !== null) return;
    event.preventDefault();
    this.#field.focus();
    this.#field.select();
  }

  #links(): readonly HTMLAnchorElement[] {
    return [...this.#list.querySelectorAll("a")].filter((link) => link.checkVisibility());
  }

  /** Whether the list is a popover that has been opened, rather than a column. */
  #isPopover(): boolean {
    return this.#list.matches(":popover-open");
  }

  #isNarrow(): boolean {
    return getComputedStyle(part(".api-open")).display !== "none";
  }
}

function statusOf(words: number, count: number): string {
  if (words === 0) return "";
  return count === 0 ? referenceWords.nothingFound : referenceWords.found(count);
}

function part<Part extends HTMLElement>(selector: string): Part {
  const found = document.querySelector<Part>(selector);
  if (found === null) throw new Error(`The page has no ${selector}.`);
  return found;
}
