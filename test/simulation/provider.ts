import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { idOf } from "@clew/folder";
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

/** The people of the workspace: one who shares all pages, one who shares some, and one who imports anew in the end. */
export const people = ["Ann", "Ben", "Cleo"] as const;

export const providerPort = 9_000;
const client = { clientId: "clew-in-a-simulation", clientSecret: "the-secret-of-a-simulation" };

/** The settings of an instance that reads from it. */
export const providerSettings = {
  NOTION_CLIENT_ID: client.clientId,
  NOTION_CLIENT_SECRET: client.clientSecret,
  NOTION_API_URL: `http://localhost:${providerPort}`,
};

/** The largest number of changes that make the workspace. */
const mostInitialChanges = 14;

const initialChanges = ["page", "page", "page", "page", "database", "edit", "edit"] as const;
const laterChanges = [
  "page",
  "page",
  "edit",
  "edit",
  "edit",
  "rename",
  "move",
  "trash",
  "restore",
  "delete",
] as const;

/** Pages at the top, by their numbers: one that all people share, and one that the second person does not. */
const sharedRoot = 1;
const privateRoot = 0;

/** Texts of files by their paths. */
type Files = Readonly<Record<string, string>>;

/** The id of a page of a random workspace, as its files name it. */
const idIn = (file = "") => /^id: (.+)$/m.exec(file)?.[1] ?? "";

/** An edit of the page that all people share. Times are those of the simulation. */
export interface PageEdit {
  readonly version: number;
  readonly called: number;
  readonly answered: number;
}

/** The service with the pages. It reads a real folder; nothing in a simulation depends on the times of its files. */
export class Provider implements Endpoint {
  readonly machine: Machine;
  readonly standIn: Awaited<ReturnType<typeof buildTestStandIn>>["standIn"];
  readonly #folder: string;
  readonly #workspace: RandomWorkspace;
  #written: Files = {};
  #onEdit: (edit: PageEdit) => void = () => {};
  #version = 0;
  #changes: Promise<unknown> = Promise.resolve();

  private constructor(
    parts: Pick<Provider, "machine" | "standIn">,
    folder: string,
    workspace: RandomWorkspace,
  ) {
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
      const files: Files = { ...workspace.files(), "_people.yml": list.join("") };
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
      provider.#version = versionIn(files[`n${sharedRoot}/index.md`]);
      network.listen(providerPort, provider);
      return provider;
    });
  }

  /** Tells about each edit of the page that all people share, once it can be read; at once about those so far. */
  onEdit(listener: (edit: PageEdit) => void): void {
    this.#onEdit = listener;
    const now = this.machine.monotonic();
    listener({ version: this.#version, called: now, answered: now });
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

  /** Edits the page that all people share. */
  editShared(): Promise<void> {
    return this.#inTurn(() => {
      this.machine.scheduler.note("at the provider: an edit of the shared page");
      this.#workspace.happen({ what: "edit", one: sharedRoot, other: 0 }, this.machine.clock());
    });
  }

  /** The ids of the page that all people share, and of one that the second person does not. */
  ids(): { readonly shared: string; readonly foreign: string } {
    const idOf = (number: number) => idIn(this.#written[`n${number}/index.md`]);
    return { shared: idOf(sharedRoot), foreign: idOf(privateRoot) };
  }

  /** The ids of all pages and databases that are not in the trash. */
  allIds(): string[] {
    return this.standIn
      .workspace()
      .entries.filter(({ inTrash }) => !inTrash)
      .map(({ id }) => id);
  }

  /** Ends the grant of a person, as people do who disconnect Clew at the provider. Does nothing if there is none. */
  withdraw(name: string): Promise<void> {
    this.machine.scheduler.note(`at the provider: ${name} withdraws the grant`);
    return this.machine.enter(() => this.standIn.withdraw(this.#botOf(name)).catch(() => {}));
  }

  /** Expires the access tokens of a person. Does nothing if there is no grant. */
  expire(name: string): Promise<void> {
    this.machine.scheduler.note(`at the provider: the access tokens of ${name} expire`);
    return this.machine.enter(() => this.standIn.expireAccessTokens(this.#botOf(name)).catch(() => {}));
  }

  /** Identifies the grant of a person. */
  #botOf(name: string): string {
    const person = this.standIn.workspace().people.find((each) => each.name === name);
    return idOf("bot", `${client.clientId}/${person?.id}`);
  }

  /** Has requests fail by these rules from now on. */
  setFaults(rules: readonly FaultRule[]): void {
    this.standIn.faults.set(rules, Math.floor(this.machine.scheduler.random() * 2 ** 31));
  }

  /** Changes come one after the other, each whole. */
  #inTurn(change: () => void): Promise<void> {
    const turn = this.#changes.then(() =>
      this.machine.enter(async () => {
        const called = this.machine.monotonic();
        change();
        const { "_people.yml": list = "" } = this.#written;
        const files: Files = { ...this.#workspace.files(), "_people.yml": list };
        await writeChanged(this.#folder, this.#written, files);
        this.#written = files;
        await this.standIn.reload();
        const [before, version] = [this.#version, versionIn(files[`n${sharedRoot}/index.md`])];
        this.#version = version;
        if (version !== before) this.#onEdit({ version, called, answered: this.machine.monotonic() });
      }),
    );
    this.#changes = turn;
    return turn;
  }
}

const versionIn = (file = "") => Number(/Version (\d+) of/.exec(file)?.[1] ?? 0);

function drawn({ random }: Scheduler, kinds: readonly Happening["what"][]): Happening {
  return { what: pick(random, kinds), one: Math.floor(random() * 1000), other: Math.floor(random() * 1000) };
}

/** Brings the files of a folder from one state to another. A changed file is another file, whatever the clock of the disk says. */
async function writeChanged(folder: string, before: Files, after: Files): Promise<void> {
  for (const path of Object.keys(before)) if (!(path in after)) await rm(join(folder, path));
  for (const [path, text] of Object.entries(after)) {
    if (before[path] === text) continue;
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  }
}
