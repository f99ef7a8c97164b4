import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "@clew/stand-in/testing/until";
import { buildClientPackage } from "../../packaging/client/build.ts";
import { launchBrowser, noBrowser } from "../support/browser.ts";
import { createToken, signIn } from "../support/session.ts";
import { syncedDemo } from "../support/shared-demo.ts";

/** Reads a real Clew through the package: a list of several pages, an error, and an export. */
const program = `
import { createClient, ResponseError } from "CLIENT";

export async function read(url: string, token: string): Promise<string> {
  const clew = createClient({ url, token });
  let found = 0;
  for await (const { node } of clew.iterate("searchPages", { limit: 40 })) found += node.title.length > 0 ? 1 : 0;
  const code = await clew.getPage({ id: "nothing" }).catch((error: unknown) =>
    error instanceof ResponseError ? error.code : String(error),
  );
  let nodes = 0;
  for await (const item of clew.exportGraph()) if ("node" in item) nodes += 1;
  return \`\${found} \${code} \${nodes}\`;
}
`;
const wanted = "113 node_not_found 113";

const tsc = fileURLToPath(import.meta.resolve("typescript/package.json")).replace("package.json", "bin/tsc");

let folder: string;
let url: URL;
let token: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "clew-client-"));
  const archive = buildClientPackage(folder);
  writeFileSync(join(folder, "package.json"), '{"type":"module","private":true}');
  const words = ["install", "--offline", "--no-audit", "--no-fund", "--silent", archive];
  execFileSync("npm", words, { cwd: folder });
  url = await syncedDemo();
  token = (await createToken(url, await signIn(url), "client")).token;
});
after(async () => {
  rmSync(folder, { recursive: true });
});

/** The program as JavaScript, which runs it with the arguments of the process. */
function writeProgram(): string {
  writeFileSync(join(folder, "program.ts"), program.replace("CLIENT", "@clew/client"));
  const words = [
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--lib",
    "es2022,dom",
    "--strict",
    "--types",
    "",
  ];
  // Without skipLibCheck: the declarations are checked too.
  execFileSync(process.execPath, [tsc, ...words, "program.ts"], { cwd: folder, encoding: "utf8" });
  const main = join(folder, "main.js");
  writeFileSync(
    main,
    'import process from "node:process";\nimport { read } from "./program.js";\nconsole.log(await read(...process.argv.slice(2)));\n',
  );
  return main;
}

test("the package needs no other, and a program type-checks against it without Node's types", () => {
  const installed = readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."));
  assert.deepEqual(installed, ["@clew"]);
  assert.deepEqual(readdirSync(join(folder, "node_modules/@clew")), ["client"]);
  const home = join(folder, "node_modules/@clew/client");
  assert.deepEqual(readdirSync(home).sort(), ["README.md", "dist", "package.json"]);
  writeProgram();
  writeFileSync(
    join(folder, "wrong.ts"),
    program.replace("CLIENT", "@clew/client").replace("limit: 40", 'limit: "40"'),
  );
  const words = [
    tsc,
    "--noEmit",
    "--module",
    "nodenext",
    "--lib",
    "es2022,dom",
    "--strict",
    "--types",
    "",
    "wrong.ts",
  ];
  const { status, stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
  assert.notEqual(status, 0);
  assert.match(stdout, /'string' is not assignable to type 'number'/);
});

const runtimes = [
  { name: "Node", command: process.execPath, words: [] },
  { name: "Deno", command: "deno", words: ["run", "--allow-net"] },
  { name: "Bun", command: "bun", words: [] },
];

for (const { name, command, words } of runtimes) {
  const isMissing = spawnSync(command, ["--version"]).status !== 0;
  test(`the package reads a graph in ${name}`, {
    skip: isMissing && `${name} is not installed`,
  }, async () => {
    const main = writeProgram();
    const { promise, resolve } = Promise.withResolvers<string>();
    const { execFile } = await import("node:child_process");
    execFile(command, [...words, main, url.href, token], { cwd: folder }, (error, stdout, stderr) =>
      resolve(error === null ? stdout.trim() : stderr),
    );
    assert.equal(await promise, wanted);
  });
}

test("the package reads a graph in a browser", { skip: noBrowser }, async (t) => {
  // Clew's API is for the dashboard's origin: a server of one origin serves the package and hands on what is below /api.
  const files = join(folder, "node_modules/@clew/client/dist");
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    if (path.startsWith("/api/")) {
      const { authorization = "" } = request.headers;
      const answer = await fetch(new URL(path.slice(1), url), { headers: { authorization } });
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      return response.end(await answer.text());
    }
    const isScript = path.endsWith(".js");
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
    response.end(isScript ? readFileSync(join(files, path)) : "<title>A page</title>");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const browser = await launchBrowser();
  t.after(async () => {
    await browser.close();
    server.close();
  });
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  writeProgram();
  const script = readFileSync(join(folder, "program.js"), "utf8").replace("@clew/client", "/index.js");
  const page = await browser.newPage();
  await page.goto(origin);
  await page.addScriptTag({ type: "module", content: `${script}\nglobalThis.read = read;` });
  await until(() => page.evaluate<boolean>("globalThis.read !== undefined"));
  assert.equal(await page.evaluate(`read(${JSON.stringify(origin)}, ${JSON.stringify(token)})`), wanted);
});
