import fc from "fast-check";

/** A line of a page as a reader should see it. */
export interface TrueLine {
  readonly text: string;
  readonly kind: "heading" | "paragraph" | "introduction" | "item" | "header" | "separator" | "row" | "code";
  /** The line that it is nested below; null at the top. */
  readonly parent: number | null;
  /** The list, table or code at the top of the page that it is part of, with what introduces it. */
  readonly group: number;
  /** The item of its list that it is part of, or the row of its table; null if it is neither. */
  readonly item: number | null;
  /** The table that it is part of, at the top or in an item. */
  readonly table: number | null;
  /** The number of headings before it. */
  readonly section: number;
}

/** A page of lists, tables, code and paragraphs, beside what is true of it. */
export interface ListedPage {
  readonly markdown: string;
  readonly lines: readonly TrueLine[];
  /** A word for each line that has one, which no other line has. */
  readonly words: readonly string[];
}

type Node =
  | { readonly kind: "heading"; readonly level: number; readonly long: number }
  | { readonly kind: "paragraph"; readonly long: number }
  | { readonly kind: "code"; readonly rows: number; readonly isIntroduced: boolean }
  | {
      readonly kind: "list";
      readonly sign: "-" | "- [x]" | "number";
      readonly start: number;
      readonly isIntroduced: boolean;
      readonly items: readonly { readonly long: number; readonly inside: readonly Node[] }[];
    }
  | {
      readonly kind: "table";
      readonly isInPipes: boolean;
      readonly header: "words" | "none" | "empty";
      readonly width: number;
      readonly rows: readonly number[];
      readonly isIntroduced: boolean;
    };

/** Lengths of lines: most are short, some are longer than any answer. */
const anyLength = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 20 }) },
  { weight: 3, arbitrary: fc.nat({ max: 300 }) },
  { weight: 1, arbitrary: fc.constantFrom(900, 4_000) },
);

const longLength = fc.constantFrom(700, 4_000);

const paragraph = fc.record({ kind: fc.constant("paragraph" as const), long: anyLength });
const code = fc.record({
  kind: fc.constant("code" as const),
  rows: fc.integer({ min: 1, max: 30 }),
  isIntroduced: fc.boolean(),
});
const tableOf = (most: number, length = anyLength) =>
  fc.record({
    kind: fc.constant("table" as const),
    isInPipes: fc.boolean(),
    header: fc.constantFrom("words", "words", "none", "empty"),
    width: fc.integer({ min: 1, max: 5 }),
    rows: fc.array(length, { minLength: 1, maxLength: most }),
    isIntroduced: fc.boolean(),
  });
const listOf = (
  most: number,
  inside: fc.Arbitrary<readonly Node[]>,
  length = anyLength,
): fc.Arbitrary<Node> =>
  fc.record({
    kind: fc.constant("list" as const),
    sign: fc.constantFrom("-", "- [x]", "number", "number"),
    start: fc.oneof(fc.constant(1), fc.nat({ max: 120 })),
    isIntroduced: fc.boolean(),
    items: fc.array(fc.record({ long: length, inside }), { minLength: 1, maxLength: most }),
  });
const innermost = fc.array(fc.oneof(paragraph, code, tableOf(3)), { maxLength: 1 });
const inside = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof(paragraph, code, tableOf(3), listOf(3, innermost)), { maxLength: 2 }),
  },
);
const anyNode = fc.oneof(
  fc.record({
    kind: fc.constant("heading" as const),
    level: fc.integer({ min: 1, max: 4 }),
    long: fc.nat({ max: 30 }),
  }),
  paragraph,
  code,
  tableOf(20),
  listOf(16, inside),
  listOf(16, fc.constant([])),
);

/** Pages of lists and tables of every form and length. `first` tells the words of several pages apart. */
export const anyListedPage = (first = 0): fc.Arbitrary<ListedPage> =>
  fc
    .oneof(
      { weight: 3, arbitrary: fc.array(anyNode, { minLength: 1, maxLength: 9 }) },
      {
        weight: 1,
        arbitrary: fc
          .oneof(tableOf(3, longLength), listOf(3, fc.constant([]), longLength))
          .map((node) => [node]),
      },
    )
    .map((nodes) => new PageWriter(first).write(nodes));

const letters = "bdfgklmprtvz";
/** A word of letters that no stemmer shortens. */
const wordOf = (number: number) =>
  `x${[1728, 144, 12, 1].map((unit) => letters[Math.floor(number / unit) % 12]).join("")}`;

/** Writes each line twice: as a provider has it, and as a reader should see it. */
class PageWriter {
  readonly #source: string[] = [];
  readonly #lines: TrueLine[] = [];
  readonly #words: string[] = [];
  readonly #first: number;
  #group = 0;
  #item: number | null = null;
  #parent: number | null = null;
  #table: number | null = null;
  #tables = 0;
  #section = 0;
  #depth = 0;
  /** The sign or number of the last item at each depth, as long as nothing but what is nested in it follows. */
  #ended = new Map<number, string | number>();

  constructor(first: number) {
    this.#first = first;
  }

  write(nodes: readonly Node[]): ListedPage {
    for (const node of nodes) this.#write(node);
    return { markdown: this.#source.join("\n"), lines: this.#lines, words: this.#words };
  }

  #write(node: Node): void {
    if (this.#depth === 0) this.#group += 1;
    if ("isIntroduced" in node && node.isIntroduced)
      this.#both(this.#depth === 0 ? "introduction" : "paragraph", `${this.#text(0)}:`);
    if (node.kind === "heading") {
      this.#section += 1;
      this.#both("heading", `${"#".repeat(node.level)} ${this.#text(node.long)}`);
    } else if (node.kind === "paragraph") this.#both("paragraph", `${this.#text(node.long)}.`);
    else if (node.kind === "code") this.#writeCode(node.rows);
    else if (node.kind === "list") this.#writeList(node);
    else this.#writeTable(node);
  }

  #writeCode(rows: number): void {
    this.#both("code", `\`\`\`${this.#text(0).split(" ")[0]}`);
    for (let row = 0; row < rows; row += 1) this.#both("code", `let ${this.#text(row)}`);
    this.#both("code", "```");
  }

  #writeList({ sign, start, items }: Extract<Node, { kind: "list" }>): void {
    const ended = this.#ended.get(this.#depth);
    const isNumbered = sign === "number";
    const goesOn = isNumbered
      ? typeof ended === "number" && (start === ended || start === ended + 1)
      : typeof ended === "string";
    // It would be the same list otherwise.
    if (goesOn) {
      this.#both("paragraph", `${this.#text(0)}.`);
      if (this.#depth === 0) this.#group += 1;
    }
    const outer = { item: this.#item, parent: this.#parent };
    for (const [index, item] of items.entries()) {
      if (this.#depth === 0) this.#item = index;
      this.#both("item", `${isNumbered ? `${start + index}.` : sign} ${this.#text(item.long)}`);
      this.#parent = this.#lines.length - 1;
      this.#depth += 1;
      this.#ended.delete(this.#depth);
      for (const node of item.inside) this.#write(node);
      this.#depth -= 1;
      this.#parent = outer.parent;
    }
    this.#item = outer.item;
    this.#ended.set(this.#depth, isNumbered ? start + items.length - 1 : sign);
  }

  #writeTable({ isInPipes, header, width, rows }: Extract<Node, { kind: "table" }>): void {
    const outer = { item: this.#item, table: this.#table };
    this.#tables += 1;
    this.#table = this.#tables;
    const empty = Array.from({ length: width }, () => "");
    const cells = (long: number) =>
      empty.map((_, column) => (column === 0 ? this.#text(long) : `c${column}`));
    const dashes = empty.map(() => "---");
    const tagged = (row: readonly string[]) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
    const piped = (row: readonly string[]) => `| ${row.join(" | ")} |`;
    const write = (row: readonly string[]) => this.#add(isInPipes ? piped(row) : tagged(row));
    // Rows in pipes would go on with those before them.
    if (isInPipes) this.#source.push("");
    else this.#add(header === "none" ? "<table>" : '<table header-row="true">');
    const head = header === "words" ? cells(0) : empty;
    if (header !== "none") write(head);
    if (isInPipes && header !== "none") this.#add(piped(dashes));
    this.#see("header", piped(head));
    this.#see("separator", piped(dashes));
    for (const [index, long] of rows.entries()) {
      if (this.#depth === 0) this.#item = index;
      const row = cells(long);
      write(row);
      this.#see("row", piped(row));
    }
    if (!isInPipes) this.#add("</table>");
    this.#item = outer.item;
    this.#table = outer.table;
  }

  /** Words of which the first is in no other line. */
  #text(long: number): string {
    const word = wordOf(this.#first + this.#words.length);
    this.#words.push(word);
    return [
      word,
      ..."of comets and their tails"
        .repeat(Math.ceil(long / 26))
        .slice(0, long)
        .trim()
        .split(" "),
    ]
      .join(" ")
      .trim();
  }

  #both(kind: TrueLine["kind"], text: string): void {
    this.#add(text);
    this.#see(kind, text);
  }

  #add(text: string): void {
    this.#source.push("\t".repeat(this.#depth) + text);
    this.#ended.delete(this.#depth);
  }

  #see(kind: TrueLine["kind"], text: string): void {
    this.#lines.push({
      text: "\t".repeat(this.#depth) + text,
      kind,
      parent: this.#parent,
      group: this.#group,
      item: this.#item,
      table: this.#table,
      section: this.#section,
    });
  }
}
