// Generates types from docs/openapi.json, type-checks a small program that uses them, and runs it against a Clew:
// npm run campaign clients. It installs its tools into a temporary folder, because they need TypeScript 5 beside Clew's.
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRunning } from "../support/running-clew.ts";
import { createToken, signIn, waitForSync } from "../support/session.ts";

const tools = {
  "@types/node": "24.19.2",
  "openapi-fetch": "0.17.0",
  "openapi-typescript": "7.13.0",
  typescript: "5.9.3",
};

/** Uses the generated types as a client's author would. Each expected error proves that a mistake is found. */
const program = `
import createClient from "openapi-fetch";
import type { components, operations, paths } from "./schema.d.ts";

const { CLEW_URL = "", CLEW_TOKEN = "" } = process.env;
const clew = createClient<paths>({ baseUrl: CLEW_URL, headers: { Authorization: \`Bearer \${CLEW_TOKEN}\` } });

const found = await clew.GET("/api/v1/search/", { params: { query: { q: "jupiter", limit: 1 } } });
if (found.data === undefined) throw new Error(found.error.detail);
const node: components["schemas"]["Node"] | undefined = found.data.items[0]?.node;
if (node === undefined) throw new Error("nothing was found");
const title: string = node.title;
const icon: string | null = node.icon;
// @ts-expect-error a node has no such field
node.colour;

const near = await clew.GET("/api/v1/nodes/{id}/neighbors/", {
  params: { path: { id: node.id }, query: { direction: "in", depth: 1 } },
});
const count: number = near.data?.items.length ?? 0;

const missing = await clew.GET("/api/v1/nodes/{id}/", { params: { path: { id: "x" } } });
const code: components["schemas"]["Problem"]["code"] | undefined = missing.error?.code;

type Query = NonNullable<operations["searchPages"]["parameters"]["query"]>;
// @ts-expect-error the type of a node is page or database
const wrongType: Query = { q: "a", type: "folder" };
// @ts-expect-error there is no such parameter
const unknown: Query = { q: "a", colour: "red" };
// @ts-expect-error there is no such path
await clew.GET("/api/v1/pages/", {}).catch(() => {});
// @ts-expect-error an operation refuses with its own codes only
const other: operations["getPage"]["responses"][404]["content"]["application/problem+json"]["code"] = "conflict";

console.log(JSON.stringify({ title, hasIcon: icon !== null, count, code, ignored: [wrongType, unknown, other].length }));
`;

const folder = await mkdtemp(join(tmpdir(), "clew-clients-"));

function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part));
    child.on("error", reject);
    child.on("close", (status) =>
      status === 0 ? resolve(output) : reject(new Error(`${command} ${args.join(" ")}: ${output}`)),
    );
  });
}

try {
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", devDependencies: tools }));
  await writeFile(join(folder, "program.ts"), program);
  await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"]);
  const bin = (name: string) => join(folder, "node_modules", ".bin", name);
  const document = join(import.meta.dirname, "../../docs/openapi.json");
  await run(bin("openapi-typescript"), [document, "-o", "schema.d.ts"]);
  const options =
    "--noEmit --strict --target es2024 --module nodenext --allowImportingTsExtensions --skipLibCheck false";
  await run(bin("tsc"), [...options.split(" "), "program.ts"]);
  console.log("the types were generated, and the program type-checks");
  const clew = await startRunning();
  try {
    const session = await signIn(clew.url);
    await waitForSync(clew.url, session);
    const { token } = await createToken(clew.url, session, "generated client");
    const CLEW_URL = clew.url.href.replace(/\/$/, "");
    console.log(await run("node", ["program.ts"], { CLEW_URL, CLEW_TOKEN: token }));
  } finally {
    await clew.stop();
  }
} finally {
  await rm(folder, { recursive: true });
}
