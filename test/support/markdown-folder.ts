import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes text files below a folder, each at its path. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** A Markdown page whose times are fixed, so that the same pages make the same graph every time. */
export function markdownPage(title: string, text: string, properties: Readonly<Record<string, string>> = {}) {
  const fields = { title, created: "2026-01-05T10:00:00Z", updated: "2026-02-06T11:00:00Z", ...properties };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `---\n${lines.join("\n")}\n---\n${text}\n`;
}
