import type { Schema } from "./inputs.ts";

/** One value of every JSON type, written as JSON. */
const oneOfEach: Readonly<Record<string, readonly string[]>> = {
  null: ["null"],
  boolean: ["true", "false"],
  integer: ["7", "-0", "1e3"],
  number: ["1.5", "-1e-7"],
  string: ['"7"', '""', '"true"'],
  array: ["[]", "[[]]", "[7]"],
  object: ["{}", '{"length":1,"0":"x"}', '{"__proto__":{"x":1}}', '{"toString":"x"}'],
};

/** JSON texts that a field of this schema does not accept. */
export function invalidJsonValues(schema: Schema): string[] {
  const types = new Set(schema.enum ? [] : [schema.type ?? []].flat());
  if (types.has("number")) types.add("integer");
  const wrongKinds = Object.entries(oneOfEach).flatMap(([type, texts]) => (types.has(type) ? [] : texts));
  return [...wrongKinds, ...outOfBounds(schema, types)];
}

/** Values of the right type that are too small, too large, too many, or not in the list of values. */
function outOfBounds(schema: Schema, types: ReadonlySet<string>): string[] {
  const texts: string[] = [];
  if (schema.enum) texts.push('"GRAPH:READ"', '"graph:read "', '"constructor"', '"\\ud800"');
  if (types.has("integer")) {
    texts.push("1e400", "-1e400", "1.0000001");
    if (schema.minimum !== undefined) texts.push(String(schema.minimum - 1), "-1");
    if (schema.maximum !== undefined) texts.push("9007199254740993", "123456789012345678901234567890");
  }
  if (types.has("string") && schema.minLength !== undefined) texts.push('""');
  if (types.has("array") && schema.items) {
    const invalidValues = invalidJsonValues(schema.items);
    texts.push(...invalidValues.map((text) => `[${text}]`), `[${Array(5_000).fill("{}").join(",")}]`);
  }
  return texts;
}

/** Texts that no field accepts: 10 000 characters, NUL and half a surrogate pair, as JSON strings. */
export const forbiddenTexts = [
  JSON.stringify("x".repeat(10_000)),
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u202e\\u0007"',
];

/** Bodies that are not JSON, or that only a lenient parser would accept. */
export const malformedJson: readonly (string | Uint8Array)[] = [
  "",
  " ",
  "{",
  "}",
  "[",
  "nul",
  "NaN",
  "undefined",
  "0x10",
  "01",
  "1 2",
  "{}{}",
  "{} x",
  "{'refresh': 'x'}",
  '{"refresh": "x",}',
  '{"refresh": "x" /* why */}',
  '{"refresh": "\u0000"}',
  '{"refresh": "a\nb"}',
  '{"refresh": "\\x41"}',
  "\ufeff{}",
  "refresh=x",
  "<refresh>x</refresh>",
  Uint8Array.of(0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d),
  Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22),
  Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
  "[".repeat(30_000),
  '{"a":'.repeat(10_000),
  "[".repeat(30_000) + "]".repeat(30_000),
  `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
];

/** JSON that is not an object. */
export const nonObjectJson = ["null", "true", "0", '"text"', "[]", "[{}]"];

/** Media types that are not accepted. */
export const unsupportedMediaTypes: readonly (string | undefined)[] = [
  undefined,
  "text/plain",
  "text/json",
  "application/jsonx",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/octet-stream",
  "nonsense",
  ";",
];

/** Undeclared fields. Some have a meaning in JavaScript, such as `__proto__`. */
export const undeclaredFields = [
  "bogus",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "a/b~c",
  "",
  "\u0000",
];

/** Query values that no parameter of this schema accepts, percent-encoded. */
export function invalidQueryValues(schema: Schema): string[] {
  if (schema.type === "integer") {
    return [
      ...[
        "",
        "abc",
        "null",
        "true",
        "NaN",
        "Infinity",
        "1.5",
        "1.0",
        "-1",
        "1e1",
        "1e400",
        "0x10",
        "0b1",
        "01",
        "1_0",
      ],
      ...["%2B1", "+5", "5+", "%095", "5%00", "%D9%A3", "%EF%BC%95", "9".repeat(400), "-0", "[]", "{}"],
    ];
  }
  if (schema.type === "boolean")
    return ["", "1", "0", "yes", "TRUE", "True", "null", "+true", "true%00", "[]"];
  if (schema.enum ?? schema.pattern) {
    return [
      "",
      "bogus",
      "null",
      "__proto__",
      "constructor",
      ",",
      "%00",
      "%C5%BFearch",
      "in,",
      ",link",
      "link,,in",
    ];
  }
  return [];
}

/** Percent-encodings that are not UTF-8: half a surrogate pair, overlong forms, a single byte, and invalid escapes. */
export const malformedEncodings = [
  "%ED%A0%80",
  "%ED%B0%80",
  "%C0%AF",
  "%E0%80%AF",
  "%F0%80%80%80",
  "%F4%90%80%80",
  "%80",
  "%FF",
  "%",
  "%4",
  "%zz",
  "%u0041",
];

/** Ids that name nothing. */
export const invalidIds = [
  "null",
  "undefined",
  "true",
  "NaN",
  "-1",
  "0",
  "1.5",
  "1e400",
  "9".repeat(400),
  "__proto__",
  "constructor",
  "..%2f..%2fetc%2fpasswd",
  "..%5c..",
  "%2e%2e",
  "%00",
  "a%00b",
  "%0a",
  "%20",
  "*",
  "%25",
  "'%20or%201=1--",
  "%22",
  "%F0%9F%A7%B6",
  "x".repeat(5_000),
];

/** Texts that resemble an id but are not equal to it. */
export function similarIds(id: string): string[] {
  const wide = [...id].map((digit) =>
    /\d/.test(digit) ? String.fromCodePoint(0xff10 + Number(digit)) : digit,
  );
  return [
    `%20${id}`,
    `${id}%20`,
    `${id}%0a`,
    `${id}%00`,
    `%EF%BB%BF${id}`,
    `${id}%E2%80%8B`,
    `${id}%CC%81`,
    `+${id}`,
    `%2B${id}`,
    `0${id}`,
    `${id}.0`,
    `${id}e0`,
    `{${id}}`,
    `urn:uuid:${id}`,
    `${id},${id}`,
    encodeURIComponent(wide.join("")),
    `${id}-`,
    `-${id}`,
  ];
}

/** Headers that break careless code. */
export const hostileHeaders: readonly Readonly<Record<string, string>>[] = [
  { accept: ",;;q=,/;*/*;q=9" },
  { accept: "x/".repeat(4_000) },
  { "if-none-match": '"' },
  { "if-none-match": `W/"${'",'.repeat(2_000)}` },
  { cookie: ";;=;=a;__proto__=1;clew_sign_in_=" },
  { "content-type": "application/json" },
  { "x-http-method-override": "DELETE", "x-method-override": "DELETE" },
  { "x-forwarded-for": "<>, ::g, 1.2.3.4.5", "x-forwarded-proto": "javascript" },
  { host: "elsewhere.example" },
  { origin: "null", "access-control-request-method": "DELETE" },
  { "user-agent": "\u00ff".repeat(5_000) },
];
