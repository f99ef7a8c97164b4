import type { Change } from "@clew/provider";
import { type FolderWatch, type WatchState, watchFolder } from "../watch/watch-folder.ts";
import type { OpenWorkspace } from "../workspace/open.ts";

/** The receiver of what a watch finds. */
export interface WatchNews {
  /** Receives what has changed, and that the watch begins: what has changed before that is not known. */
  readonly onChange: (change: Change) => void;
  readonly onState: (state: WatchState) => void;
  readonly onFailure: (error: unknown) => void;
}

/** More changes than this are not named: to list everything costs less than to look each of them up. */
const maxNamed = 100;

/** The pause before a folder is opened again that could not be. */
const retryMs = 5_000;

/** A watch of a folder, which may be away at first. */
export class FolderWatching {
  readonly #open: () => Promise<OpenWorkspace>;
  readonly #news: WatchNews;
  readonly #started: Promise<void>;
  #watch: FolderWatch | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** The failure that was reported last: one that lasts is reported once. */
  #failure: string | null = null;
  #isStopped = false;

  constructor(open: () => Promise<OpenWorkspace>, news: WatchNews) {
    this.#open = open;
    this.#news = news;
    this.#started = this.#start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#started;
    await this.#watch?.stop();
  }

  async #start(): Promise<void> {
    const { onChange, onState, onFailure } = this.#news;
    try {
      const opened = await this.#open();
      await opened.ready();
      if (this.#isStopped) return;
      const workspaceId = () => opened.current().id;
      // Nobody knows what has changed since the folder was read last.
      onChange({ workspaceId: workspaceId(), changed: null, isBeginning: true });
      this.#watch = watchFolder(opened, {
        onChange: (changed) =>
          onChange({
            workspaceId: workspaceId(),
            changed: changed.length > maxNamed ? null : changed,
            isBeginning: false,
          }),
        onState,
        onFailure,
      });
    } catch (error) {
      if (String(error) !== this.#failure) onFailure(error);
      this.#failure = String(error);
      if (!this.#isStopped) this.#timer = setTimeout(() => void this.#start(), retryMs);
    }
  }
}
