import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The memory that the reading of a page took. */
export interface PageMemory {
  readonly title: string;
  /** Whether its text is whole, or why not. */
  readonly outcome: string;
  /** Megabytes of the process when no text had been read, and at most while this one was. */
  readonly idleMb: number;
  readonly peakMb: number;
}

/** Reads the texts of a folder in a process of its own, and returns the pages, those that took most memory first. Linux only. */
export async function measureMemory(
  folder: string,
  onPage: (page: PageMemory) => void = () => {},
): Promise<readonly PageMemory[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "memory-child.ts"), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const pages: PageMemory[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const page: PageMemory = JSON.parse(line);
    pages.push(page);
    onPage(page);
  }
  await ended;
  if (child.exitCode !== 0)
    throw new Error(`The process that reads ended with ${child.exitCode ?? child.signalCode}.`);
  return pages.toSorted((a, b) => b.peakMb - a.peakMb);
}
