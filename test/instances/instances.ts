import { randomBytes } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pick, type Random } from "@clew/stand-in/testing/random";
import { type ClewProcess, freePort, type Settings } from "../support/clew-process.ts";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { type Notion, settingsFor, startNotion } from "../support/notion.ts";
import type { Stage } from "../support/stage.ts";
import { openTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

/** One of the instances that share a database. */
export interface Instance {
  readonly url: URL;
  /** Whether nothing disturbs it now, as far as the test knows. */
  isUp: boolean;
  /** Ends it as `kill -9` does, and starts it again. */
  restart(): Promise<void>;
  /** Stops the process for a while, as a machine that is suspended. */
  pause(milliseconds: number): Promise<void>;
  /** Cuts it off from the database for a while. */
  cutOff(milliseconds: number): Promise<void>;
  /** Sets its clock off by this number of milliseconds, at once. */
  setClock(skew: number): Promise<void>;
}

/** Several instances on one database, and the provider that they read. */
export interface Installation {
  readonly instances: readonly Instance[];
  readonly people: readonly string[];
  readonly notion: Notion;
  /** Has new connections to the database lead to another port. */
  redirectDatabase(port: number): void;
  /** Any instance, one that is undisturbed if there is one, but for one time in twenty. */
  any(random: Random): Instance;
  /** Writes this text into the page that everybody shares. */
  edit(text: string): Promise<void>;
  /** Does some work while the provider holds back the requested texts, so that no sync ends during the work. */
  whileTextsWait(work: () => Promise<unknown>): Promise<void>;
}

/** Milliseconds by which the clocks of instances are off, one after the other: more than leases and the tolerance for tokens. */
const skews = [60_000, -60_000, 0, 30_000];

const people = ["Ann", "Ben", "Cleo", "Dan"];

/** Starts instances at the same time on the empty database of this URL. `providerOf` puts something between one and the provider. */
export async function startInstances(
  stage: Stage,
  databaseUrl: string,
  count: number,
  providerOf: (index: number, url: string) => Promise<string> = async (_, url) => url,
): Promise<Installation> {
  const pages = join(stage.folder, "pages");
  const write = (text: string) =>
    writeFiles(pages, {
      "_people.yml": people
        .map((name) => `- { name: ${name}, email: ${name.toLowerCase()}@demo.example }\n`)
        .join(""),
      "shared.md": markdownPage("Shared", text, { updated: new Date().toISOString() }),
      "other.md": markdownPage("Other", "Next to [the shared page](shared.md)."),
    });
  await write("At first.");
  let held = Promise.resolve();
  const notion = await startNotion(stage, pages, {
    recordRequests: true,
    followFolder: false,
    sleep: () => held,
  });
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const shared = {
    PUBLIC_URL: `http://localhost:${ports[0]}`,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --import=${new URL("skewed-clock.ts", import.meta.url).href}`,
  };
  const networks: TcpProxy[] = [];
  const instances = await Promise.all(
    ports.map(async (port, index) => {
      const database = new URL(databaseUrl);
      const network = await openTcpProxy(Number(database.port || 5432), database.hostname);
      stage.defer(() => network.close());
      networks.push(network);
      database.host = `127.0.0.1:${network.port}`;
      const clock = join(stage.folder, `clock-${index}`);
      await writeFile(clock, String(skews[index % skews.length]));
      const settings = {
        ...shared,
        ...settingsFor(notion, await providerOf(index, notion.url)),
        PORT: String(port),
        DATABASE_URL: database.href,
        DATA_DIR: join(stage.folder, `data-${index}`),
        CLOCK_SKEW_FILE: clock,
      };
      return startInstance(stage, settings, network, clock);
    }),
  );
  return {
    instances,
    people,
    notion,
    redirectDatabase(port) {
      for (const network of networks) network.redirect(port);
    },
    any(random) {
      const up = instances.filter(({ isUp }) => isUp);
      return pick(random, up.length === 0 || random() < 0.05 ? instances : up);
    },
    async edit(text) {
      await write(text);
      await notion.reload();
    },
    async whileTextsWait(work) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      notion.faults.set([
        { on: "GET /v1/pages/:page_id/markdown", fault: { kind: "latency", milliseconds: 1 } },
      ]);
      await work().finally(resolve);
      notion.faults.set([]);
    },
  };
}

async function startInstance(
  stage: Stage,
  settings: Settings,
  network: TcpProxy,
  clock: string,
): Promise<Instance> {
  let clew: ClewProcess = await stage.start(settings);
  const disturbed = async (work: () => Promise<unknown>) => {
    instance.isUp = false;
    await work();
    instance.isUp = true;
  };
  const instance: Instance = {
    url: new URL(`http://localhost:${clew.port}/`),
    isUp: true,
    restart: () =>
      disturbed(async () => {
        await clew.kill();
        clew = await stage.start(settings);
      }),
    pause: (milliseconds) =>
      disturbed(async () => {
        process.kill(clew.pid, "SIGSTOP");
        await sleep(milliseconds);
        process.kill(clew.pid, "SIGCONT");
      }),
    cutOff: (milliseconds) =>
      disturbed(async () => {
        network.drop();
        await sleep(milliseconds);
        network.restore();
      }),
    async setClock(skew) {
      // Never read half written.
      await writeFile(`${clock}.new`, String(skew));
      await rename(`${clock}.new`, clock);
    },
  };
  return instance;
}
