import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildTestStandIn, type FaultRule } from "@clew/stand-in/testing";
import { pick } from "@clew/stand-in/testing/random";
import {
  createRandomWorkspace,
  type Happening,
  type RandomWorkspace,
} from "../../packages/server/src/sync/testing/random-workspace.ts";
import { randomBytes } from "./machine/builtins.ts";
import { Machine } from "./machine/machine.ts";
import type { Scheduler } from "./machine/scheduler.ts";
import type { Endpoint, Network, SentRequest } from "./network.ts";

/** The people of the workspace. The first one shares all pages, the second one does not share the first page at the top. */
export const people = ["Ann", "Ben"] as const;

const port = 9_000;
const client = { clientId: "clew-in-a-simulation", clientSecret: "the-secret-of-a-simulation" };

/** The settings of an instance that reads from it. */
export const providerSettings = {
  NOTION_CLIENT_ID: client.clientId,
  NOTION_CLIENT_SECRET: client.clientSecret,
  NOTION_API_URL: `http://localhost:${port}`,
};

/** The largest number of changes that make the workspace. */
const mostInitialChanges = 14;

const initialChanges = ["page", "page", "page", "page", "database", "edit", "edit"] as const;
const laterChanges = ["page", "page", "edit", "edit", "edit", "rename", "move", "trash", "restore", "delete"] as const;

/** A page at the top that both people share, by its number. */
const sharedRoot = 1;

/** The service with the pages. It reads a real folder; nothing in a simulation depends on the times of its files. */
export class Provider implements Endpoint {
  readonly machine: Machine;
  readonly standIn: Awaited<ReturnType<typeof buildTestStandIn>>["standIn"];
  readonly #folder: string;
  readonly #workspace: RandomWorkspace;
  #written: Readonly<Record<string, string>> = {};
  #version = 0;
  #changes: Promise<unknown> = Promise.resolve();

  private constructor(parts: Pick<Provider, "machine" | "standIn">, folder: string, workspace: RandomWorkspace) {
    this.machine = parts.machine;
    this.standIn = parts.standIn;
    this.#folder = folder;
    this.#workspace = workspace;
  }

  /** Makes a random workspace in the folder, and serves it. */
  static async open(scheduler: Scheduler, network: Network, folder: string): Promise<Provider> {
    const machine = new Machine("the provider", scheduler);
    return machine.enter(async () => {
      const workspace = createRandomWorkspace(machine.clock());
      const changes = Math.floor(scheduler.random() * mostInitialChanges);
      for (let count = 0; count < changes; count += 1)
        workspace.happen(drawn(scheduler, initialChanges), machine.clock());
      const list = people.map((name) => `- { name: ${name}, email: ${name.toLowerCase()}@demo.example }\n`);
      const files = { ...workspace.files(), "_people.yml": list.join("") };
      await writeChanged(folder, {}, files);
      const { standIn } = await buildTestStandIn({
        directory: folder,
        ...client,
        clock: machine.clock,
        random: randomBytes,
        followFolder: false,
      });
      const provider = new Provider({ machine, standIn }, folder, workspace);
      provider.#written = files;
      network.listen(port, provider);
      return provider;
    });
  }

  readonly answer = ({ method, url, headers, body }: SentRequest): Promise<Response> =>
    this.standIn.fetch(url, { method, headers, ...(body.length > 0 && { body }) });

  /** Changes something in the workspace. */
  change(): Promise<void> {
    return this.#inTurn(() => {
      const happening = drawn(this.machine.scheduler, laterChanges);
      this.machine.scheduler.note(`at the provider: ${happening.what}`);
      this.#workspace.happen(happening, this.machine.clock());
    });
  }

  /** Edits the page that both people share. Returns its version, which its text names. */
  async editShared(): Promise<number> {
    await this.#inTurn(() => {
      this.#workspace.happen({ what: "edit", one: sharedRoot, other: 0 }, this.machine.clock());
      this.#version += 1;
    });
    return this.#version;
  }

  /** Has requests fail by these rules from now on. */
  setFaults(rules: readonly FaultRule[]): void {
    this.standIn.faults.set(rules, Math.floor(this.machine.scheduler.random() * 2 ** 31));
  }

  /** Changes come one after the other, each whole. */
  #inTurn(change: () => void): Promise<void> {
    const turn = this.#changes.then(() =>
      this.machine.enter(async () => {
        change();
        const { "_people.yml": list = "" } = this.#written;
        const files = { ...this.#workspace.files(), "_people.yml": list };
        await writeChanged(this.#folder, this.#written, files);
        this.#written = files;
        await this.standIn.reload();
      }),
    );
    this.#changes = turn;
    return turn;
  }
}

function drawn({ random }: Scheduler, kinds: readonly Happening["what"][]): Happening {
  return { what: pick(random, kinds), one: Math.floor(random() * 1000), other: Math.floor(random() * 1000) };
}

/** Brings the files of a folder from one state to another. A changed file is another file, whatever the clock of the disk says. */
async function writeChanged(
  folder: string,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Promise<void> {
  for (const path of Object.keys(before)) if (!(path in after)) await rm(join(folder, path));
  for (const [path, text] of Object.entries(after)) {
    if (before[path] === text) continue;
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  }
}
