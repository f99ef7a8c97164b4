import { type FSWatcher, watch } from "node:fs";
import path from "node:path";
import { type ScannedFolder, withFolders } from "../workspace/scan.ts";

interface WatchedFolder {
  readonly identity: string;
  readonly watcher: FSWatcher;
}

/**
 * The system's watches of a folder and those below. Linux watches single folders; macOS and Windows watch all that is below
 * a folder with one watch.
 */
export class WatchedFolders {
  readonly #root: string;
  readonly #onEvent: (hint: string) => void;
  readonly #isRecursive: boolean;
  readonly #watched = new Map<string, WatchedFolder>();
  #isComplete = true;

  /** `onEvent` receives paths of files and folders that may have changed, relative to the root. */
  constructor(root: string, onEvent: (hint: string) => void, platform = process.platform) {
    this.#root = root;
    this.#onEvent = onEvent;
    this.#isRecursive = platform === "darwin" || platform === "win32";
  }

  /** Whether all folders are watched. The system has a limit. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Watches the folders of a scan, and no others. Returns the paths of those that were not watched before. */
  follow(scanned: ScannedFolder): string[] {
    const folders = this.#isRecursive ? [scanned] : withFolders(scanned);
    const identities = new Map(folders.map((folder) => [folder.path, folder.identity]));
    // First, because a folder that has moved is the same to the system, which watches it once.
    for (const [place, { identity }] of this.#watched)
      if (identities.get(place) !== identity) this.#drop(place);
    const added = folders
      .filter(({ path: place }) => !this.#watched.has(place))
      .filter((folder) => this.#add(folder));
    this.#isComplete = this.#watched.size === folders.length;
    return added.map(({ path: place }) => place);
  }

  close(): void {
    for (const place of [...this.#watched.keys()]) this.#drop(place);
  }

  #add({ path: place, diskPath, identity }: ScannedFolder): boolean {
    try {
      const watcher = watch(path.join(this.#root, diskPath), { recursive: this.#isRecursive }, (_, name) =>
        this.#onName(place, name),
      );
      watcher.on("error", () => this.#drop(place));
      this.#watched.set(place, { identity, watcher });
      return true;
    } catch {
      // It has gone meanwhile, or the system's limit is reached: scans of everything see what is in it.
      return false;
    }
  }

  #onName(place: string, name: string | null): void {
    const below = (name ?? "").split(path.sep).join("/").normalize("NFC");
    // An event about the folder itself has its own name: it has moved or was removed, and another may take its place.
    if (!this.#isRecursive && place !== "" && below === path.posix.basename(place)) this.#drop(place);
    const hint = [place, below].filter((part) => part !== "").join("/");
    if (!below.split("/").some((part) => part.startsWith("."))) this.#onEvent(hint);
  }

  #drop(place: string): void {
    this.#watched.get(place)?.watcher.close();
    this.#watched.delete(place);
  }
}
