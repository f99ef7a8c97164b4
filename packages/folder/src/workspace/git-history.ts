import { spawn } from "node:child_process";
import { isPlausible, type PageDates } from "./dates.ts";
import { findCheckout } from "./git-checkout.ts";
import { isPage } from "./scan.ts";

/** The limits of a read of the history. A read that reaches one ends early, with the latest commits. */
export interface GitLimits {
  readonly milliseconds: number;
  readonly bytes: number;
}

const defaultLimits: GitLimits = { milliseconds: 30_000, bytes: 256 * 1024 * 1024 };

const none: ReadonlyMap<string, PageDates> = new Map();

/**
 * The settings of a repository may name commands, and it may come from anywhere: these options and the environment keep
 * git from running any, from asking for anything, and from the network.
 */
const safely = [
  "--no-pager",
  "--no-optional-locks",
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.attributesFile=/dev/null"].flatMap(setting),
  ...["log.showSignature=false", "log.showRoot=true", "diff.orderFile=/dev/null"].flatMap(setting),
];

function setting(value: string): string[] {
  return ["-c", value];
}

/** The same for output that compares commits. */
const plainly = ["--no-ext-diff", "--no-textconv", "--no-color"];

const safeEnvironment = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};

/** Former paths of files, and their paths now. */
export type Renamed = ReadonlyMap<string, string>;

const nothingRenamed: Renamed = new Map();

/**
 * The dates and renames of a folder's pages in the git checkout that it is in. There are none without git, outside a checkout,
 * and in one that belongs to another user (git's `safe.directory`).
 */
export class GitHistory {
  readonly #folder: string;
  readonly #limits: GitLimits;
  /** The commit whose dates are known. */
  #dated: string | null = null;
  #head: string | null;
  #dates = none;
  /** Whether git did not say in time which commit is checked out. Each look would wait for it again, so it is not asked again. */
  #isStuck = false;

  /** `head` is the commit that was checked out when the folder was last read, in this process or one before it. */
  constructor(folder: string, head: string | null = null, limits: GitLimits = defaultLimits) {
    this.#folder = folder;
    this.#head = head;
    this.#limits = limits;
  }

  /** The time of the first and the latest commit of each page, by path: the same map until another commit is checked out. */
  get dates(): ReadonlyMap<string, PageDates> {
    return this.#dates;
  }

  /** The commit that was checked out at the last `read`. */
  get head(): string | null {
    return this.#head;
  }

  /** Reads the history if another commit is checked out. Returns the files that were renamed since the commit before. */
  async read(now: number): Promise<Renamed> {
    const head = this.#isStuck || (await findCheckout(this.#folder)) === null ? null : await this.#readHead();
    if (head !== this.#dated) this.#dates = head === null ? none : await this.#readDates(head, now);
    const renamed =
      head === this.#head || head === null || this.#head === null
        ? nothingRenamed
        : await this.#readRenames(this.#head, head);
    this.#dated = head;
    this.#head = head;
    return renamed;
  }

  /** A commit that is no longer there has no renames. */
  async #readRenames(before: string, head: string): Promise<Renamed> {
    const renamed = new Map<string, string>();
    let fields: string[] = [];
    const what = ["-r", "-z", "--name-status", "--find-renames", "--diff-filter=R", "--relative"];
    await this.#run(["diff-tree", ...what, "-l10000", ...plainly, before, head, "--", "."], (field) => {
      fields.push(field.normalize("NFC"));
      const [, from, to] = fields;
      if (from === undefined || to === undefined) return;
      if (isPage(from) && isPage(to)) renamed.set(from, to);
      fields = [];
    });
    return renamed;
  }

  async #readHead(): Promise<string | null> {
    let output = "";
    const hasEnded = await this.#run(["rev-parse", "--verify", "HEAD"], (token) => {
      output += token;
    });
    this.#isStuck = !hasEnded;
    return /^[0-9a-f]{40,64}$/.test(output.trim()) ? output.trim() : null;
  }

  async #readDates(head: string, now: number): Promise<ReadonlyMap<string, PageDates>> {
    const dates = new Map<string, PageDates>();
    let time = Number.NaN;
    // Without a leading slash, an entry is a path; git puts a line end before the first of a commit.
    const format = ["-z", "--format=/%at", "--name-only", "--relative", "--no-renames"];
    const unsigned = ["--no-show-signature", "--no-mailmap"];
    await this.#run(["log", ...format, ...plainly, ...unsigned, head, "--", "."], (entry) => {
      const name = entry.replace(/^\n/, "").normalize("NFC");
      if (name.startsWith("/")) time = Number(name.slice(1)) * 1000;
      else if (isPage(name) && isPlausible(time, now)) dates.set(name, including(dates.get(name), time));
    });
    return dates;
  }

  /**
   * Runs git, and passes on each entry of its output, which NUL separates. Resolves when it has ended, even if it failed: with false
   * if it reached a limit.
   */
  #run(args: readonly string[], onEntry: (entry: string) => void): Promise<boolean> {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
    const git = spawn("git", [...safely, ...args], {
      cwd: this.#folder,
      env: { ...Object.fromEntries(own), ...safeEnvironment },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: this.#limits.milliseconds,
      killSignal: "SIGKILL",
    });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let rest = "";
    let left = this.#limits.bytes;
    git.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      left -= chunk.length;
      if (left < 0) {
        git.kill("SIGKILL");
        return;
      }
      const entries = (rest + chunk).split("\0");
      rest = entries.pop() ?? "";
      for (const entry of entries) onEntry(entry);
    });
    // Git is not installed.
    git.once("error", () => resolve(true));
    git.once("close", (code) => {
      if (code === 0 && rest !== "") onEntry(rest);
      resolve(!git.killed);
    });
    return promise;
  }
}

function including(known: PageDates | undefined, time: number): PageDates {
  if (known === undefined) return { createdAt: time, editedAt: time };
  return { createdAt: Math.min(known.createdAt, time), editedAt: Math.max(known.editedAt, time) };
}
