import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { API, type Type } from "typescript/unstable/sync";
import { type Reading, vocabulary } from "./vocabulary.ts";

type Table = keyof typeof vocabulary;

/** The words of Notion's SDK for each table: a union of names, as a type in TypeScript. */
const unions: Readonly<Record<Exclude<Table, "events">, string>> = {
  blocks: `sdk.BlockObjectResponse["type"]`,
  properties: `Property["type"]`,
  formulaResults: `Extract<Property, { type: "formula" }>["formula"]["type"]`,
  rollupResults: `Extract<Property, { type: "rollup" }>["rollup"]["type"]`,
  richTexts: `sdk.RichTextItemResponse["type"]`,
  mentions: `Extract<sdk.RichTextItemResponse, { type: "mention" }>["mention"]["type"]`,
  parents: `(sdk.PageObjectResponse | sdk.DatabaseObjectResponse | sdk.DataSourceObjectResponse)["parent"]["type"]`,
  icons: `NonNullable<sdk.PageObjectResponse["icon"]>["type"]`,
  pageFields: "keyof sdk.PageObjectResponse",
  databaseFields: "keyof sdk.DatabaseObjectResponse",
  dataSourceFields: "keyof sdk.DataSourceObjectResponse",
  services: "keyof client.default",
};

const folder = import.meta.dirname;
const sdk = dirname(fileURLToPath(import.meta.resolve("@notionhq/client")));
const module = join(folder, "words-of-the-sdk.ts");
const project = join(folder, "words-of-the-sdk.json");

const source = `
import type * as sdk from "${sdk}/api-endpoints";
import type * as client from "${sdk}/Client";
import type * as payloads from "${sdk}/api-endpoints/webhooks";
type Property = sdk.PageObjectResponse["properties"][string];
${Object.entries(unions)
  .map(([name, type]) => `type ${name} = ${type};`)
  .join("\n")}
export {};
`;

/** Files that exist in the memory of the compiler alone, at a place from which the SDK is found. */
const files = new Map([
  [module, source],
  [
    project,
    JSON.stringify({
      compilerOptions: {
        module: "esnext",
        moduleResolution: "bundler",
        noEmit: true,
        types: [],
        skipLibCheck: true,
      },
      files: [module],
    }),
  ],
]);

/** The words of each table in the SDK, read by the TypeScript compiler. */
function wordsOfSdk(): Readonly<Record<Table, readonly string[]>> {
  const api = new API({
    cwd: folder,
    fs: { readFile: (name) => files.get(name), fileExists: (name) => files.has(name) || undefined },
  });
  try {
    const [opened] = api.updateSnapshot({ openProjects: [project] }).getProjects();
    assert.ok(opened);
    const { checker, program } = opened;
    const faults = program.getSemanticDiagnostics(module).map(({ text }) => text);
    assert.deepEqual(
      faults.filter((text) => !text.includes("never used")),
      [],
    );
    const literal = (type: Type) => checker.typeToString(type).replaceAll('"', "");
    const words = (name: string) => {
      const type = checker.getTypeAtPosition(module, source.indexOf(`type ${name} =`) + "type ".length);
      assert.ok(type);
      return (type.isUnionType() ? type.getTypes() : [type]).map(literal);
    };
    const listed = Object.keys(unions).map((name) => [name, words(name)] as const);
    // The SDK has a type for each event, and no union of them.
    const payloads = checker.getSymbolAtPosition(module, source.indexOf("payloads from"));
    assert.ok(payloads);
    const events = checker.getExportsOfModule(checker.getAliasedSymbol(payloads)).flatMap((payload) => {
      const type = checker.getPropertyOfType(checker.getDeclaredTypeOfSymbol(payload), "type");
      const name = type === undefined ? undefined : checker.getTypeOfSymbol(type);
      return name === undefined ? [] : [literal(name)];
    });
    return { ...(Object.fromEntries(listed) as Record<keyof typeof unions, string[]>), events };
  } finally {
    api.close();
  }
}

const sdkWords = wordsOfSdk();

for (const [name, table] of Object.entries(vocabulary)) {
  test(`SRC-6: the table of ${name} has what Notion's SDK has, and says of all else that it has not`, () => {
    const words = sdkWords[name as Table];
    assert.ok(words.length > 2);
    const readings = Object.entries<Reading>(table);
    const known = readings.filter(([, { beyondSdk = false }]) => !beyondSdk).map(([word]) => word);
    assert.deepEqual(known.sort(), words.toSorted());
    for (const [word, { beyondSdk = false }] of readings)
      if (beyondSdk) assert.ok(!words.includes(word), `the SDK has ${word} now`);
  });
}
