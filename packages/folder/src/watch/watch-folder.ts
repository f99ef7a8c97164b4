import { statfs } from "node:fs/promises";
import type { OpenWorkspace } from "../workspace/open.ts";
import type { ChangedNode } from "../workspace/page-memory.ts";
import type { Hints } from "../workspace/scan.ts";
import { WatchedFolders } from "./watched-folders.ts";

/** How changes are noticed: by events of the system, or by scans alone. */
export type WatchState = "events" | "scans";

/** The receivers of what a watch finds, and its times, in milliseconds. */
export interface WatchOptions {
  /** Receives what has changed, once the workspace is the new one, also if another caller read it again. */
  readonly onChange: (changed: readonly ChangedNode[]) => void;
  /** Receives the state at first, when it changes, and after a look that failed. */
  readonly onState?: (state: WatchState) => void;
  /** Receives the error of each scan that failed. */
  readonly onFailure?: (error: unknown) => void;
  /** The pause after the last event before the folder is looked at. */
  readonly quiet?: number;
  /** The longest pause after the first one. */
  readonly maxWait?: number;
  /** The pause between scans of everything. While events arrive, it is longer if scans take long (`maxScanShare`). */
  readonly scanEvery?: number;
}

/** A folder that is watched until it is stopped. */
export interface FolderWatch {
  stop(): Promise<void>;
}

/** The share of the time that scans of everything may take while events arrive. */
const maxScanShare = 1 / 200;

/** The longest pause between scans of everything that follows from it. */
const maxScanPause = 10 * 60_000;

/** With more hints than this, all is scanned: the system may have dropped events. */
const maxHints = 2_000;

/**
 * Watches the folder of a workspace. Events of the system are only hints of where to look; all is scanned now and then
 * because they may be lost, and because some file systems send none.
 */
export function watchFolder(opened: OpenWorkspace, options: WatchOptions): FolderWatch {
  return new Watch(opened, options);
}

class Watch implements FolderWatch {
  readonly #opened: OpenWorkspace;
  readonly #options: WatchOptions;
  readonly #folders: WatchedFolders;
  readonly #unsubscribe: () => void;
  /** The paths to look at next; null for all. */
  #hints: Hints = null;
  /** The time of the first event since the last look, by `performance.now()`; null without one. */
  #since: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #lastScan = Number.NEGATIVE_INFINITY;
  /** The time that it took. */
  #scanTime = 0;
  #state: WatchState | null = null;
  /** The look that is under way, after which the next one is planned. */
  #looking: Promise<void> | null = null;
  #isStopped = false;

  constructor(opened: OpenWorkspace, options: WatchOptions) {
    this.#opened = opened;
    this.#options = options;
    this.#folders = new WatchedFolders(opened.directory, (hint) => this.#onEvent(hint));
    this.#unsubscribe = opened.subscribe(options.onChange);
    this.#begin(true);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
    this.#folders.close();
  }

  #onEvent(hint: string): void {
    if (this.#hints !== null && this.#hints.size < maxHints) this.#hints = new Set(this.#hints).add(hint);
    else this.#hints = null;
    this.#since ??= performance.now();
    this.#plan();
  }

  /** Plans the next look: soon if there were events, else with the next scan of everything. */
  #plan(): void {
    if (this.#isStopped || this.#looking !== null) return;
    const { quiet = 100, maxWait = 500 } = this.#options;
    const now = performance.now();
    const scan = this.#lastScan + this.#scanPause();
    const due = this.#since === null ? scan : Math.min(now + quiet, this.#since + maxWait, scan);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(due >= scan), Math.max(0, due - now));
  }

  #scanPause(): number {
    const { scanEvery = 60_000 } = this.#options;
    if (this.#state !== "events") return scanEvery;
    return Math.max(scanEvery, Math.min(this.#scanTime / maxScanShare, maxScanPause));
  }

  #begin(isScan: boolean): void {
    this.#timer = null;
    this.#looking = this.#look(isScan);
  }

  async #look(isScan: boolean): Promise<void> {
    const hints = isScan ? null : this.#hints;
    this.#hints = new Set();
    this.#since = null;
    if (hints === null) this.#lastScan = performance.now();
    try {
      await this.#opened.look(hints);
      if (hints === null) this.#scanTime = performance.now() - this.#lastScan;
      // A folder may have changed before it was watched.
      for (let added = this.#follow(); added.size > 0; added = this.#follow()) await this.#opened.look(added);
      await this.#tellState();
      // Links of other pages are followed in pauses, since with many pages that takes seconds; all of them after a scan of everything.
      await this.#opened.followLinks(() => this.#since !== null && hints !== null);
    } catch (error) {
      // Watches of a folder that went away stay silent when it is back: scans alone see that.
      this.#folders.close();
      this.#state = null;
      this.#options.onFailure?.(error);
    }
    this.#looking = null;
    this.#plan();
  }

  #follow(): ReadonlySet<string> {
    return new Set(this.#isStopped ? [] : this.#folders.follow(this.#opened.scanned()));
  }

  async #tellState(): Promise<void> {
    const state =
      this.#folders.isComplete && (await sendsEvents(this.#opened.directory)) ? "events" : "scans";
    if (state === this.#state || this.#isStopped) return;
    this.#state = state;
    this.#options.onState?.(state);
  }
}

/** File systems whose changes by other machines send no events here: NFS, SMB (three kinds), 9P, Ceph, AFS, FUSE. */
const remote = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x00c36400, 0x5346414f, 0x65735546,
]);

async function sendsEvents(directory: string): Promise<boolean> {
  return process.platform !== "linux" || !remote.has((await statfs(directory)).type);
}
