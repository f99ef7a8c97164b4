import fc from "fast-check";

/** A word in inputs and in the texts of pages, which no line of the log may contain. */
export const canary = "canary-c4f1e0";

/** Texts that break careless code: in Unicode, as numbers, as syntax, by their length. */
const pieces: readonly string[] = [
  canary,
  // Unicode: NUL, half a surrogate pair, direction, joiners, marks, compositions, case that changes length, line ends, tags.
  "\0",
  "\ud83e",
  "\udd87",
  "\u202e",
  "\u2066",
  "\u200d",
  "\u200b",
  "\ufeff",
  "\ufffe",
  "\u0301".repeat(60),
  "é",
  "e\u0301",
  "İ",
  "ß",
  "ﬃ",
  "ｓｅｃｒｅｔ",
  "\u1112\u1161\u11ab",
  "👩‍👩‍👧‍👦",
  "🏴\u{e0067}\u{e007f}",
  "\u{10ffff}",
  "\r\n",
  "\n",
  "\r",
  "\t",
  "\v",
  "\u0085",
  "\u2028",
  "\u00a0",
  "\u00ad",
  "\u061c",
  "שלום",
  "日本語",
  "ﷺ",
  // Numbers beyond what a careless reader takes.
  "0",
  "-0",
  "-1",
  "1e400",
  "1e-400",
  "NaN",
  "Infinity",
  "0x10",
  "01",
  "1_000",
  "٣",
  "2147483648",
  "1.5",
  "9007199254740993",
  "9".repeat(400),
  "0001-01-01",
  "+275760-09-14",
  "9999-12-31T23:59:60Z",
  "99999999d",
  // Syntax of the grammars, of JavaScript and of those behind Clew.
  '"',
  "'",
  "`",
  "\\",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  "<",
  ">",
  "%",
  "%00",
  "*",
  "_",
  "&",
  "=",
  ",",
  ";",
  "|",
  "~",
  "[[",
  "]]",
  "](",
  "![",
  "```",
  "$$",
  "<!--",
  "](javascript:alert(1))",
  "<page url=",
  "|---|",
  "\n---\n",
  "\n# ",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "undefined",
  "' OR 1=1--",
  "{{7*7}}",
  "../../etc/passwd",
  " AND ",
  // Length, within what a URL can hold.
  "a ".repeat(300),
  "x".repeat(2_000),
  "ab".repeat(400),
  '"'.repeat(501),
  "((".repeat(250),
  "-".repeat(600),
];

/** One of the texts, or any Unicode. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...pieces) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);

/** A change of a text; places are shares of its length, in millionths. */
interface Edit {
  readonly what: "insert" | "remove" | "repeat" | "swap" | "replace";
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  what: fc.constantFrom("insert", "remove", "repeat", "swap", "replace"),
  at: fc.nat(999_999),
  length: fc.nat(12),
  text: hostileText,
});

function edited(text: string, { what, at, length, text: other }: Edit): string {
  const start = Math.floor((at / 1_000_000) * (text.length + 1));
  const [before, span, after] = [
    text.slice(0, start),
    text.slice(start, start + length),
    text.slice(start + length),
  ];
  switch (what) {
    case "insert":
      return before + other + span + after;
    case "remove":
      return before + after;
    case "repeat":
      return before + span.repeat(1 + 3 * length) + after;
    case "swap":
      return after + span + before;
    case "replace":
      return before + other + after;
  }
}

/** Texts of a grammar. About half of them are changed in one to four places. */
export function mutated(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edits = fc.oneof(fc.constant([]), fc.array(edit, { minLength: 1, maxLength: 4 }));
  return fc.tuple(texts, edits).map(([text, changes]) => changes.reduce(edited, text));
}

/** Lets `start` be followed by more of itself, `depth` times: lists, quotes and brackets within each other. */
export const nested = (open: string, middle: string, close: string, depth: number): string =>
  open.repeat(depth) + middle + close.repeat(depth);

/** A change of one value within JSON; `at` chooses it among all, as a share in millionths. */
export interface JsonChange {
  readonly at: number;
  readonly how: "remove" | "replace" | "rename" | "wrap" | "repeat";
  readonly value: unknown;
}

const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 53,
    -(2 ** 31),
    1e308,
    "",
    [],
    {},
    [[]],
    [null],
    {
      "": {},
    },
  ),
  hostileText,
  fc.jsonValue({ stringUnit: "binary", maxDepth: 2 }),
);

export const jsonChange: fc.Arbitrary<JsonChange> = fc.record({
  at: fc.nat(999_999),
  how: fc.constantFrom("remove", "replace", "replace", "rename", "wrap", "repeat"),
  value: anyValue,
});

type Key = string | number;

/** The paths of all values within JSON, besides the whole. */
function pathsIn(json: unknown, path: readonly Key[] = []): (readonly Key[])[] {
  if (typeof json !== "object" || json === null) return [];
  const entries: [Key, unknown][] = Array.isArray(json)
    ? json.map((each, at) => [at, each])
    : Object.entries(json);
  return entries.flatMap(([key, value]) => [[...path, key], ...pathsIn(value, [...path, key])]);
}

/** Applies a change to a copy of JSON. */
export function changedJson(json: unknown, change: JsonChange): unknown {
  const paths = pathsIn(json);
  const path = paths[Math.floor((change.at / 1_000_000) * paths.length)];
  return path === undefined ? change.value : changedAt(json, path, change);
}

function changedAt(json: unknown, [key, ...rest]: readonly Key[], change: JsonChange): unknown {
  if (Array.isArray(json)) {
    return json.flatMap((each: unknown, at) => {
      if (at !== key) return [each];
      if (rest.length > 0) return [changedAt(each, rest, change)];
      if (change.how === "remove") return [];
      return change.how === "repeat" ? [each, each] : [replaced(each, change)];
    });
  }
  return Object.fromEntries(
    Object.entries(Object(json)).flatMap(([name, value]): [string, unknown][] => {
      if (name !== key) return [[name, value]];
      if (rest.length > 0) return [[name, changedAt(value, rest, change)]];
      if (change.how === "remove") return [];
      return change.how === "rename" ? [[`${name}s`, value]] : [[name, replaced(value, change)]];
    }),
  );
}

function replaced(value: unknown, change: JsonChange): unknown {
  if (change.how === "wrap") return [value];
  return change.how === "repeat" ? [value, value] : change.value;
}

/** JSON texts of a grammar. About half of them are changed in one to three values. */
export function mutatedJson(documents: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const changes = fc.oneof(fc.constant([]), fc.array(jsonChange, { minLength: 1, maxLength: 3 }));
  return fc.tuple(documents, changes).map(([json, some]) => some.reduce(changedJson, json));
}
