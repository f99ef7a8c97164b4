import { join } from "node:path";
import { type Client, createClient } from "@clew/client";
import { type ClewProcess, freePort, type Settings, spawnClew } from "../support/clew-process.ts";
import { createToken, signIn, waitForSync } from "../support/session.ts";

/** The name of the folder among Clew's sources. */
const slug = "notes";

/** A Clew over a folder, in one process after another on the same data. */
export class LiveClew {
  /** A client whose token stays valid across restarts. It asks once. */
  readonly client: Client;
  /** The id of the folder's workspace. */
  readonly workspaceId: string;
  /** Clew's memory of the folder. */
  readonly memoryFile: string;
  readonly #settings: Settings;
  #process: ClewProcess;
  #output = "";

  private constructor(
    settings: Settings,
    { dataDir, workspaceId }: { readonly dataDir: string; readonly workspaceId: string },
    process: ClewProcess,
    token: string,
  ) {
    this.#settings = settings;
    this.#process = process;
    this.workspaceId = workspaceId;
    this.memoryFile = join(dataDir, "folders", workspaceId, "pages.json");
    this.client = createClient({ url: process.url, token, retries: 0 });
  }

  /** Starts Clew over the folder, signs in, and waits until it has read everything once. */
  static async open(directory: string, dataDir: string): Promise<LiveClew> {
    const settings = {
      FOLDERS: `${slug}=${directory}`,
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      SYNC_INTERVAL: "0",
      RATE_LIMIT_TOKEN: "0",
    };
    const process = await spawnClew(settings);
    try {
      await process.ready();
      const session = await signIn(process.url);
      const [workspace] = await waitForSync(process.url, session);
      const { token } = await createToken(process.url, session, "reader");
      return new LiveClew(settings, { dataDir, workspaceId: workspace?.id ?? "" }, process, token);
    } catch (error) {
      await process.kill();
      throw error;
    }
  }

  /** Ends the process at once, as `kill -9` does. */
  async kill(): Promise<void> {
    await this.#process.kill();
    this.#output += this.#process.output();
  }

  /** Starts a process, which may take a while until it answers. */
  async restart(): Promise<void> {
    this.#process = await spawnClew(this.#settings);
  }

  /** Waits until the process answers. */
  ready(): Promise<void> {
    return this.#process.ready();
  }

  /** Whether a sync of the folder runs. */
  async isSyncing(): Promise<boolean> {
    const { items } = await this.client.listWorkspaces();
    return items.some(({ sync }) => sync.state === "running");
  }

  /** The errors that the processes have logged. */
  errors(): string[] {
    const lines = `${this.#output}${this.#process.output()}`.split("\n");
    return lines.filter((line) => line.startsWith('{"level":50') || line.startsWith('{"level":60'));
  }
}
