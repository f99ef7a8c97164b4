import { mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SearchResults } from "@clew/contract";
import { type ClewProcess, spawnClew } from "../support/clew-process.ts";
import { createToken, signIn, waitForSync } from "../support/session.ts";
import { openStage } from "../support/stage.ts";
import { openCrowd } from "./crowd.ts";

/**
 * Clients that hold connections (LIM-3): `SECONDS=30 OPEN_FILES=256 ONLY=heads,bodies npm run campaign slow-clients`. For each kind it prints
 * whether `/readyz` always answered, the peak memory, and the number of connections left at the end. The exit code is 1 if
 * another address received no answer, or if connections were left that never sent a whole request. Those of readers may stay idle as any
 * other, once their responses are in the buffers of the system.
 */
const seconds = Number(process.env.SECONDS ?? 30);
const openFiles = Number(process.env.OPEN_FILES ?? 256);

/** The crowds that are sent whole responses. */
const readers = ["answers", "openapi"];

const stage = await openStage();
let failures = 0;
try {
  const folder = join(stage.folder, "pages");
  await mkdir(folder);
  // Three bytes per character, and as many characters as one response may have.
  await writeFile(join(folder, "large.md"), "# Large\n\n".concat("織".repeat(1_000_000)));
  const settings = { DATA_DIR: join(stage.folder, "data"), WORKSPACE_DIR: folder, SYNC_INTERVAL: "0" };
  const clew = await spawnClew({ ...settings, LOG_LEVEL: "warn" }, { openFiles });
  stage.defer(() => clew.kill());
  await clew.ready();
  const session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  const { token } = await createToken(clew.url, session, "slow clients");
  const page = await largePage(clew, token);
  const authorization = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  const content = `GET /api/v1/nodes/${page}/content/?max_chars=1000000 HTTP/1.1\r\n${authorization}Accept: text/markdown\r\n\r\n`;
  console.log(`open files: ${openFiles}; at rest: ${await memoryOf(clew)} MiB`);
  const body = "Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
  const crowds: Readonly<Record<string, readonly [name: string, size: number, text: string]>> = {
    answers: ["300 readers of four answers of 3 MB", 300, content.repeat(4)],
    openapi: [
      "2000 readers of openapi.json",
      2000,
      "GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
    bodies: ["300 held bodies", 300, `POST /api/auth/refresh/ HTTP/1.1\r\n${body}`],
    heads: ["300 held heads", 300, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"],
    pipelined: [
      "2000 clients with 20 pipelined requests",
      2000,
      "GET /llms.txt HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(20),
    ],
    "half-open": ["300 half-open connections", 300, ""],
  };
  for (const kind of process.env.ONLY?.split(",") ?? Object.keys(crowds)) {
    const crowd = crowds[kind];
    if (crowd === undefined)
      throw new Error(`ONLY: there is no ${kind} among ${Object.keys(crowds).join(", ")}`);
    const [left, areOthersServed] = await observe(clew, ...crowd);
    if (!areOthersServed || (left > 0 && !readers.includes(kind))) failures += 1;
  }
} finally {
  await stage.close();
}
process.exitCode = failures === 0 ? 0 : 1;

async function largePage({ port }: ClewProcess, token: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/search/?q=large`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const [hit] = ((await response.json()) as SearchResults).items;
  if (hit === undefined) throw new Error("The large page was not found");
  return hit.node.id;
}

/**
 * Holds a crowd's connections for a while, and probes Clew from its address and from another. Returns how many connections were left, and
 * whether the other address was always answered.
 */
async function observe(
  clew: ClewProcess,
  name: string,
  size: number,
  text: string,
): Promise<[left: number, areOthersServed: boolean]> {
  const atRest = await socketsOf(clew);
  const crowd = openCrowd(clew.port, size, text);
  const others: Probe[] = [];
  const neighbours: Probe[] = [];
  let memory = 0;
  let connections = 0;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    others.push(await probe(clew.port, "127.0.0.2"));
    neighbours.push(await probe(clew.port, "127.0.0.1"));
    memory = Math.max(memory, await memoryOf(clew));
    connections = Math.max(connections, await socketsOf(clew));
    await sleep(250);
  }
  const left = Math.max(0, (await socketsOf(clew)) - atRest);
  crowd.leave();
  console.log(
    `${name}: /readyz from another address ${summary(others)}, from the same ${summary(neighbours)}; ` +
      `at most ${memory} MiB and ${connections} sockets; ${left} connections left after ${seconds} s`,
  );
  // Waits until the server has noticed that the connections have ended.
  await sleep(6000);
  return [left, others.every(({ ok }) => ok)];
}

interface Probe {
  readonly ok: boolean;
  readonly milliseconds: number;
}

function summary(probes: readonly Probe[]): string {
  const answered = probes.filter(({ ok }) => ok);
  const slowest = Math.round(Math.max(0, ...answered.map(({ milliseconds }) => milliseconds)));
  return `${answered.length} of ${probes.length} (slowest ${slowest} ms)`;
}

function probe(port: number, localAddress: string): Promise<Probe> {
  const began = performance.now();
  return new Promise((resolve) => {
    const finish = (ok: boolean) => resolve({ ok, milliseconds: performance.now() - began });
    const asked = get(
      { port, host: "127.0.0.1", localAddress, path: "/readyz", agent: false, timeout: 3000 },
      (answer) => {
        answer.resume();
        answer.on("end", () => finish(answer.statusCode === 200));
        answer.on("error", () => finish(false));
      },
    );
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => finish(false));
  });
}

/** The resident memory of a process in MiB. */
async function memoryOf({ pid }: ClewProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024);
}

/** The number of open sockets of a process. */
async function socketsOf({ pid }: ClewProcess): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all(
    (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => "")),
  );
  return links.filter((link) => link.startsWith("socket:")).length;
}
