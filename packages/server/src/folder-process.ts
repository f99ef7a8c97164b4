import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type OpenedFolder, ReadingError } from "@clew/cli";
import { type Build, type ServiceTokenList, scopeNames, type WorkspaceList } from "@clew/contract";
import { pino } from "pino";
import { readConfig } from "./config/config.ts";
import type { Environment } from "./config/read-settings.ts";
import { namedFolder } from "./model/folders.ts";
import type { Clock, RandomBytes } from "./model/runtime.ts";
import { openServer } from "./server.ts";

interface FolderRuntime {
  readonly env: Environment;
  readonly clock: Clock;
  /** Milliseconds on a clock that is never set. */
  readonly monotonic: () => number;
  readonly random: RandomBytes;
  readonly fetch: typeof globalThis.fetch;
  readonly build: Build;
  /** Writes a line to standard error. */
  readonly warn: (line: string) => void;
}

/** The tokens of these processes, in the list of the person's tokens. */
const tokenName = "clew mcp --dir";

/** Milliseconds between two looks at whether the first sync has ended. */
const lookMs = 100;

/** Milliseconds that a folder's first sync may take before its pages are shown without all of their texts. */
const wholeMs = 8_000;

/**
 * Opens a Clew over one folder inside this process, for an agent on this machine (AGT-7): it has no port, and its person is signed in
 * with one press that nobody has to make. What it keeps is in a folder of its own for each path, so that the next process begins with
 * it. Settings of the environment have no effect. Throws `ReadingError` if the folder cannot be read.
 */
export async function openFolder(path: string, runtime: FolderRuntime): Promise<OpenedFolder> {
  const directory = await folderAt(path);
  const { slug } = namedFolder(directory, []);
  const digest = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  const config = readConfig(
    { DATA_DIR: join(stateFolder(runtime.env), `${slug}-${digest}`), LOG_LEVEL: "warn" },
    { folders: [directory] },
  );
  const writeLogLine = (line: string) => warnOf(line, runtime.warn);
  const log = pino({ level: config.logLevel, base: null }, { write: writeLogLine });
  const server = await openServer(config, { ...runtime, log, writeLogLine, listens: false });
  const closing = new AbortController();
  try {
    const person = new Person(server.fetch, config.publicUrl);
    await person.signIn();
    const { token, id } = await person.createToken();
    return {
      fetch: server.fetch,
      url: config.publicUrl,
      token,
      ready: person.seeSynced(closing.signal),
      async close() {
        closing.abort();
        await person
          .leave(id)
          .catch((error) => log.warn({ err: error }, "failed to revoke the token of this process"));
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Of pino. */
const warnLevel = 40;

/** Says what a line of the log warns of. Security events are of this process's own doing. */
function warnOf(line: string, warn: FolderRuntime["warn"]): void {
  const { level, msg, path, reason, err }: LogLine = JSON.parse(line);
  if (level < warnLevel) return;
  const about = [path, reason, err?.message].filter((part) => part !== undefined && part !== "").join(": ");
  warn(`clew mcp: ${msg}${about === "" ? "" : ` (${about})`}`);
}

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly path?: string;
  readonly reason?: string;
  readonly err?: { readonly message: string };
}

async function folderAt(path: string): Promise<string> {
  try {
    const directory = await realpath(path);
    if ((await stat(directory)).isDirectory()) return directory;
  } catch {
    throw new ReadingError("usage", `${path} cannot be read: name a folder of Markdown.`);
  }
  throw new ReadingError("usage", `${path} is a file: name a folder of Markdown.`);
}

/** The folder of what is kept: below XDG_STATE_HOME, by default `~/.local/state`. */
function stateFolder({ XDG_STATE_HOME: configured, HOME, USERPROFILE }: Environment): string {
  // The XDG Base Directory Specification has relative paths ignored.
  if (configured && isAbsolute(configured)) return join(configured, "clew", "folders");
  const home = HOME || USERPROFILE;
  if (home) return join(home, ".local", "state", "clew", "folders");
  throw new ReadingError("usage", "There is no folder for the index: set HOME or XDG_STATE_HOME.");
}

/** The person of the folder, as the API knows them. */
class Person {
  readonly #fetch: typeof globalThis.fetch;
  readonly #url: URL;
  #access = "";
  #refresh = "";

  constructor(fetch: typeof globalThis.fetch, url: URL) {
    this.#fetch = fetch;
    this.#url = url;
  }

  /** Signs in as a browser does, with one press. */
  async signIn(): Promise<void> {
    const begun = await this.#fetch(this.#at("integrations/auth/provider/"), { redirect: "manual" });
    const cookie = begun.headers
      .getSetCookie()
      .map((each) => each.split(";", 1)[0])
      .join("; ");
    const { location = "" } = Object.fromEntries(begun.headers);
    const ended = await this.#fetch(location, { redirect: "manual", headers: { cookie } });
    const { hash } = new URL(ended.headers.get("location") ?? "", this.#url);
    const answer = new URLSearchParams(hash.slice(1));
    const [access, refresh] = [answer.get("access_token"), answer.get("refresh_token")];
    if (access === null || refresh === null)
      throw new Error(`The folder was not opened: ${answer.get("error")}`);
    this.#access = access;
    this.#refresh = refresh;
  }

  /** Creates a service token for everything in the folder. The oldest of an earlier process makes room for it. */
  async createToken(): Promise<{ readonly id: number; readonly token: string }> {
    const { items: workspaces } = await this.#call<WorkspaceList>("provider-graph/workspaces/");
    const { items: tokens } = await this.#call<ServiceTokenList>("tokens/");
    const earlier = tokens.filter(({ name, is_active }) => name === tokenName && is_active);
    const [oldest] = earlier.toSorted((a, b) => a.id - b.id);
    if (oldest !== undefined && earlier.length >= processesAtOnce) await this.#revokeToken(oldest.id);
    return this.#call("tokens/", {
      method: "POST",
      body: JSON.stringify({
        name: tokenName,
        scopes: scopeNames,
        workspace_ids: workspaces.map(({ id }) => id),
        expires_in_days: null,
      }),
    });
  }

  /** Revokes the token and ends the session. */
  async leave(tokenId: number): Promise<void> {
    await this.#revokeToken(tokenId);
    await this.#call("auth/logout/", { method: "POST", body: JSON.stringify({ refresh: this.#refresh }) });
  }

  async #revokeToken(id: number): Promise<void> {
    await this.#call(`tokens/${id}/`, { method: "DELETE" });
  }

  /** Waits until the folder was read once. If that takes long, its titles are enough; nothing is, once `signal` is aborted. */
  async seeSynced(signal: AbortSignal): Promise<void> {
    const isLong = AbortSignal.timeout(wholeMs);
    while (!signal.aborted) {
      const { items } = await this.#call<WorkspaceList>("provider-graph/workspaces/");
      const canBeRead = ({ last_synced_at, nodes, sync }: WorkspaceList["items"][number]) =>
        last_synced_at !== null || sync.state === "failed" || (isLong.aborted && nodes > 0);
      if (items.every(canBeRead)) return;
      await sleep(lookMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Calls the API. A session that has ended meanwhile is begun anew. */
  async #call<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
    const send = () => {
      const headers = new Headers({ authorization: `Bearer ${this.#access}` });
      if (init.body !== undefined) headers.set("content-type", "application/json");
      return this.#fetch(this.#at(path), { ...init, headers });
    };
    let response = await send();
    if (response.status === 401) {
      await this.signIn();
      response = await send();
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was refused: ${text}`);
    return (text === "" ? null : JSON.parse(text)) as Answer;
  }

  #at(path: string): URL {
    return new URL(`api/${path}`, this.#url);
  }
}

/** Processes over one folder that may run at a time: fewer than a person's tokens. */
const processesAtOnce = 8;
