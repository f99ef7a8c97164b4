import { join } from "node:path";
import { markdownPage, twoPeople, writeFiles } from "./markdown-folder.ts";
import type { Stage } from "./stage.ts";

/** Writes a workspace of three pages, which syncs at once. Returns its folder. */
export async function writeSmallWorkspace(stage: Stage): Promise<string> {
  const folder = join(stage.folder, "pages");
  await writeFiles(folder, {
    "_workspace.yml": "name: Labyrinth\nicon: 🧶\n",
    ...twoPeople,
    "ariadne.md": markdownPage("Ariadne", "She gave [Theseus](theseus.md) a ball of thread."),
    "minotaur.md": markdownPage("Minotaur", "Half of it was a bull."),
    "theseus.md": markdownPage(
      "Theseus",
      "He met the [[Minotaur]], and came back along the thread of [[Ariadne]].",
    ),
  });
  return folder;
}
