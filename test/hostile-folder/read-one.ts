import { readingLimitMs, Thread, ThreadError } from "../../packages/threads/src/index.ts";
import { type HostileFile, type HostileOptions, hostileFile } from "./hostile-files.ts";

/** The threads that read a file: the folders' thread, and those of texts. */
export type Stage = "folder" | "text" | "content" | "index";

/** A part of a stage that begins, or that has ended. */
export type StageNews =
  | { readonly begins: string }
  | { readonly ended: string; readonly stage: Stage; readonly ms: number };

/** A file that is read by itself. */
export interface ReadCall {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The tools by whose rules its text is parsed. By the rules of each it is scanned. */
  readonly parsedBy: readonly string[];
}

/** The processor time that a file took. */
export interface FileEffort {
  readonly seed: number;
  readonly kind: string;
  readonly bytes: number;
  /** The longest part in the thread that knows the folders, which all folders wait for. */
  readonly folder: Part;
  /** All of each stage in a thread of its own. */
  readonly text: number;
  readonly content: number;
  readonly index: number;
  /** The part at which the thread was ended; null if it was not. */
  readonly endedAt: string | null;
}

interface Part {
  readonly what: string;
  readonly ms: number;
}

/** The limit of a part in the folders' thread, at which Clew ends it. */
export const maxFolderMs = 2_000;

/** Reads files one after another, each with the processor time that it takes. */
export class FileReading {
  readonly #thread = new Thread<ReadCall, null, StageNews>({
    module: new URL("./reading-worker.ts", import.meta.url),
  });

  async read({ seed, kind, name, bytes }: HostileFile, parsedBy: readonly string[]): Promise<FileEffort> {
    const spent = { folder: 0, text: 0, content: 0, index: 0 };
    let folder: Part = { what: "", ms: 0 };
    let current = "";
    const onPart = (news: StageNews) => {
      if ("begins" in news) current = news.begins;
      else {
        spent[news.stage] += news.ms;
        if (news.stage === "folder" && news.ms > folder.ms) folder = { what: news.ended, ms: news.ms };
      }
    };
    // All stages by the rules of all tools.
    const limitMs = 10_000 + 6 * readingLimitMs(bytes.length);
    let endedAt: string | null = null;
    try {
      await this.#thread.call({ name, bytes, parsedBy }, { limitMs, onPart });
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error;
      endedAt = `${current} (${error.message})`;
    }
    return { seed, kind, bytes: bytes.length, ...spent, folder, endedAt };
  }

  close(): Promise<void> {
    return this.#thread.terminate();
  }
}

/** Whether Clew would have ended a thread. */
export function isTooSlow({ bytes, folder, text, content, index, endedAt }: FileEffort): boolean {
  const most = Math.max(text, content, index);
  return endedAt !== null || folder.ms > maxFolderMs || most > readingLimitMs(bytes);
}

export interface ReadingReport {
  readonly files: number;
  readonly bytes: number;
  /** The longest parts in the folders' thread, and the longest readings of texts, in order. */
  readonly folder: readonly FileEffort[];
  readonly text: readonly FileEffort[];
  readonly tooSlow: readonly FileEffort[];
}

const dialects = ["obsidian", "logseq", "hugo", "docusaurus", "starlight", "mdbook", "vitepress", "plain"];

/** Reads the files of some seeds. */
export async function readFiles(
  { from, count }: { readonly from: number; readonly count: number },
  options: HostileOptions,
  onFile: (effort: FileEffort) => void = () => {},
): Promise<ReadingReport> {
  const reading = new FileReading();
  const all: FileEffort[] = [];
  // The first file would take what it takes to load the code.
  await reading.read({ seed: -1, kind: "warm-up", name: "a.md", bytes: Buffer.from("# a\n") }, dialects);
  try {
    for (let seed = from; seed < from + count; seed += 1) {
      const effort = await reading.read(hostileFile(seed, options), [dialects[seed % dialects.length] ?? ""]);
      all.push(effort);
      onFile(effort);
    }
  } finally {
    await reading.close();
  }
  const by = (of: (effort: FileEffort) => number) => all.toSorted((a, b) => of(b) - of(a));
  return {
    files: all.length,
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    folder: by(({ folder }) => folder.ms),
    text: by(({ text, content, index }) => Math.max(text, content, index)),
    tooSlow: all.filter(isTooSlow),
  };
}
