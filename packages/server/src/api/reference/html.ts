/** HTML that needs no escaping. Everything else that `html` is given is text. */
export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for HTML, inside and outside of attributes in double quotes. */
export const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? "");

export type Part = Markup | string | number | readonly Part[];

const sourceOf = (part: Part): string => {
  if (part instanceof Markup) return part.source;
  return typeof part === "object" ? part.map(sourceOf).join("") : escapeText(String(part));
};

/** A template for HTML that escapes what is put in. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(texts.map((text, index) => text + sourceOf(parts[index] ?? "")).join(""));

export const nothing: Markup = html``;

/** Puts a separator between parts. */
export const joined = (parts: readonly Part[], separator: string): Part =>
  parts.map((part, index) => (index === 0 ? part : [separator, part]));

/** Marks up the code and the strong words of a text, the only Markdown that the document has within a paragraph. */
export const prose = (text: string): Part =>
  text
    .split("`")
    .map((piece, index) =>
      index % 2 === 1
        ? html`<code>${piece}</code>`
        : piece.split("**").map((each, at) => (at % 2 === 1 ? html`<strong>${each}</strong>` : each)),
    );

/** The paragraphs of a text. */
export const paragraphs = (text: string): Part =>
  text === "" ? nothing : text.split("\n\n").map((paragraph) => html`<p>${prose(paragraph)}</p>\n`);

/** A table with a header for each row; nothing if it has no rows. */
export function table(caption: string, heads: readonly string[], rows: readonly (readonly Part[])[]): Markup {
  if (rows.length === 0) return nothing;
  const cells = (row: readonly Part[]) =>
    row.map((cell, index) => (index === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`));
  return html`<table class="table api-table"><caption class="sr-only">${caption}</caption><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody></table>`;
}
