import { readFile, writeFile } from "node:fs/promises";
import { testProvider } from "@clew/folder/testing";
import type { PageMemory } from "./memory.ts";

// Reads the texts of a folder's pages one after another, as a sync does, and prints the peak of its memory for each as a line of JSON.

async function megabytes(name: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await readFile("/proc/self/status", "utf8");
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024);
}

const { provider, thread } = testProvider(process.argv[2] ?? "");
const reader = provider.reader("folder notes");
const pages: { readonly id: string; readonly title: string }[] = [];
for await (const entry of reader.search()) if (entry.type === "page") pages.push(entry);
const idleMb = await megabytes("VmRSS");
for (const { id, title } of pages) {
  // Makes the memory of now the peak: https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html
  await writeFile("/proc/self/clear_refs", "5");
  const outcome = await reader.content(id).then(
    ({ cut }) => cut ?? "whole",
    (error: unknown) => String(error),
  );
  const line: PageMemory = { title, outcome, idleMb, peakMb: await megabytes("VmHWM") };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
await thread.close();
