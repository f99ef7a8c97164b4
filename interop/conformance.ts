import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { builtInClients } from "../packages/server/src/auth/apps/built-in-clients.ts";
import { freePort } from "../test/support/clew-process.ts";
import { withClew } from "./clew.ts";
import { tokenByAddress } from "./programs/mcp-sdk-by-address.ts";
import { runWithBrowser } from "./scripted-browser.ts";

/** The revisions of the protocol whose requirements are checked. */
const revisions = ["2025-11-25", "2026-07-28"] as const;
type Revision = (typeof revisions)[number];

/** One thing that the suite looked at. */
interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
}

/** The checks that cannot pass, as `scenario: check`, with the reason. */
type Table = ReadonlyMap<string, string>;

const suite = join(import.meta.dirname, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const tablePath = join(import.meta.dirname, "conformance.md");

/**
 * Runs the official suite for servers in each revision, with a token that the official client got by the address alone: the suite
 * itself sends none. Throws if a check fails that is not in the table, or passes although it is.
 */
export async function runConformance(): Promise<readonly string[]> {
  const port = await freePort();
  let token: string | null = null;
  const proxy = await startProxy(port, () => token);
  // The proxy's address is Clew's own, so that requests from its pages are not foreign.
  const PUBLIC_URL = `http://localhost:${(proxy.address() as AddressInfo).port}`;
  try {
    return await withClew(
      async (stage) => {
        token = await tokenByAddress(stage);
        const did: string[] = [];
        for (const revision of revisions)
          did.push(await runRevision(revision, stage.mcp, join(stage.folder, revision)));
        return did;
      },
      { PORT: String(port), PUBLIC_URL },
    );
  } finally {
    proxy.close();
    proxy.closeAllConnections();
  }
}

/** Starts a proxy before a port of this machine, which adds a token to calls of tools that have none. */
async function startProxy(port: number, token: () => string | null): Promise<Server> {
  const proxy = createServer((received, answer) => {
    const { method, url } = received;
    const isCall = url?.startsWith("/api/v1/mcp") === true;
    const added = isCall && token() !== null ? { authorization: `Bearer ${token()}` } : {};
    const headers = { ...added, ...received.headers };
    const passed = request({ host: "127.0.0.1", port, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    received.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return proxy;
}

async function runRevision(revision: Revision, url: URL, folder: string): Promise<string> {
  const faults: string[] = [];
  const table = await readTable(revision);
  const results = await runSuite(url, revision, folder);
  const isFailing = (check: string) => results.get(check) === "FAILURE";
  const failing = [...results.keys()].filter(isFailing);
  for (const check of failing)
    if (!table.has(check)) faults.push(`${revision}: ${check} fails; it passed before`);
  for (const check of table.keys())
    if (!isFailing(check)) faults.push(`${revision}: ${check} does not fail; remove it from conformance.md`);
  const passed = [...results.values()].filter((status) => status === "SUCCESS").length;
  if (passed === 0) faults.push(`${revision}: no check passed`);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return `${revision}: ${passed} checks passed, ${failing.length} do not apply (conformance.md)`;
}

/** The worst status of each check, by `scenario: check`. */
async function runSuite(
  url: URL,
  revision: Revision,
  folder: string,
): Promise<ReadonlyMap<string, Check["status"]>> {
  const words = ["server", "--url", url.href, "--requirements", revision, "--output-dir", folder];
  // It ends with 1 if any check fails, and some always do.
  await promisify(execFile)(process.execPath, [suite, ...words], { maxBuffer: 2 ** 26 }).catch(() => {});
  const worst = new Map<string, Check["status"]>();
  for (const name of await readdir(folder)) {
    const [, scenario = name] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? [];
    for (const { id, status } of await readChecks(join(folder, name))) {
      const check = `${scenario}: ${id}`;
      if (worst.get(check) !== "FAILURE") worst.set(check, status);
    }
  }
  return worst;
}

const readChecks = async (folder: string): Promise<readonly Check[]> =>
  JSON.parse(await readFile(join(folder, "checks.json"), "utf8"));

/** The rows of conformance.md for a revision. */
async function readTable(revision: Revision): Promise<Table> {
  const lines = (await readFile(tablePath, "utf8")).split("\n");
  return new Map(
    lines.flatMap((line) => {
      const [, check = "", named = "", reason = ""] = /^\| `(.+?)` \| (.+?) \| (.+?) \|$/.exec(line) ?? [];
      return named.split(", ").includes(revision) ? [[check, reason]] : [];
    }),
  );
}

/** The revisions whose authorization server the suite knows. */
const authorizationRevisions = ["2025-03-26", "2025-06-18", ...revisions] as const;

/** Runs the official suite's scenarios for authorization servers. Throws if a check fails, or none is made. */
export async function runAuthorizationConformance(): Promise<readonly string[]> {
  return withClew(async ({ url, mcp, browser, folder }) => {
    const did: string[] = [];
    for (const revision of authorizationRevisions) {
      const results = join(folder, revision);
      const port = String(await freePort());
      const issuer = url.href.replace(/\/$/, "");
      const client = builtInClients.find(({ name }) => name === "Claude Code");
      assert.ok(client !== undefined);
      const words = ["authorization", "--url", issuer, "--client-id", client.id, "--resource", mcp.href];
      const where = ["--port", port, "--spec-version", revision, "--output-dir", results];
      await runWithBrowser([suite, ...words, ...where], {}, browser);
      const folders = (await readdir(results)).map((name) => join(results, name));
      const checks = (await Promise.all(folders.map(readChecks))).flat();
      const bad = checks.filter(({ status }) => status !== "SUCCESS");
      assert.deepEqual(bad, [], revision);
      assert.ok(checks.length > 1, `${revision}: ${checks.length} checks`);
      did.push(`${revision}: ${checks.map(({ id }) => id).join(", ")}`);
      await browser.revokeAll();
    }
    return did;
  });
}
