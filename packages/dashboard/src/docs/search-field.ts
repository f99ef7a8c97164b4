import { type Found, SectionSearch } from "./search.ts";
import type { SearchSection } from "./site-page.ts";
import { docsWords } from "./words.ts";

const mostFound = 12;

/** Shows the search field of the page, and what it finds while the person types. The index is loaded when it is first used. */
export function startSearch(): void {
  const place = document.querySelector("search");
  if (place !== null) new SearchField(place).start();
}

class SearchField {
  readonly #place: HTMLElement;
  readonly #field: HTMLInputElement;
  readonly #found: HTMLElement;
  readonly #status: HTMLElement;
  readonly #list: HTMLElement;
  #index: Promise<SectionSearch> | null = null;

  constructor(place: HTMLElement) {
    this.#place = place;
    this.#field = part(place, "input");
    this.#found = part(place, ".docs-found");
    this.#status = part(place, "[role=status]");
    this.#list = part(place, "ol");
  }

  start(): void {
    this.#place.hidden = false;
    this.#field.addEventListener("focus", () => void this.#load().catch(() => {}));
    this.#field.addEventListener("input", () => void this.#show());
    this.#place.addEventListener("keydown", (event) => this.#onKey(event));
    document.addEventListener("keydown", (event) => this.#onSlash(event));
    document.addEventListener("click", ({ target }) => {
      if (target instanceof Node && !this.#place.contains(target)) this.#found.hidden = true;
    });
    this.#list.addEventListener("click", () => {
      this.#found.hidden = true;
    });
  }

  /** The index, loaded once; after a failure, again. */
  #load(): Promise<SectionSearch> {
    this.#index ??= loadIndex().catch((error: unknown) => {
      this.#index = null;
      throw error;
    });
    return this.#index;
  }

  async #show(): Promise<void> {
    const query = this.#field.value.trim();
    this.#found.hidden = query === "";
    if (query === "") return;
    try {
      const found = (await this.#load()).find(query, mostFound);
      // The person has typed on while the index was loading.
      if (query !== this.#field.value.trim()) return;
      this.#status.textContent = statusOf(found.length);
      this.#list.replaceChildren(...found.map(itemOf));
    } catch {
      this.#status.textContent = docsWords.searchFailed;
      this.#list.replaceChildren();
    }
  }

  /** Arrows go through the field and the links below it; Escape closes them. */
  #onKey(event: KeyboardEvent): void {
    if (event.key === "Escape" && !this.#found.hidden) {
      event.preventDefault();
      this.#found.hidden = true;
      this.#field.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || this.#found.hidden) return;
    event.preventDefault();
    const stops: (HTMLElement | null)[] = [this.#field, ...this.#list.querySelectorAll("a")];
    const at = event.target instanceof HTMLElement ? stops.indexOf(event.target) : 0;
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
  }

  #onSlash(event: KeyboardEvent): void {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.activeElement instanceof HTMLInputElement) return;
    event.preventDefault();
    this.#field.focus();
    this.#field.select();
  }
}

function part<Part extends HTMLElement>(place: Element, selector: string): Part {
  const found = place.querySelector<Part>(selector);
  if (found === null) throw new Error(`The page has no ${selector}.`);
  return found;
}

async function loadIndex(): Promise<SectionSearch> {
  const answer = await fetch("search.json");
  if (!answer.ok) throw new Error(`search.json: ${answer.status}`);
  const sections: readonly SearchSection[] = await answer.json();
  return new SectionSearch(sections);
}

function statusOf(count: number): string {
  if (count === 0) return docsWords.nothingFound;
  return count === mostFound ? docsWords.mostFound(count) : docsWords.found(count);
}

function itemOf({ section: { page, heading, href }, excerpt }: Found): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = href;
  const title = document.createElement("strong");
  title.textContent = heading === "" ? page : heading;
  const where = document.createElement("span");
  where.textContent = heading === "" ? "" : page;
  const text = document.createElement("span");
  text.textContent = excerpt;
  link.append(title, " ", where, " ", text);
  item.append(link);
  return item;
}
