import { join } from "node:path";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { startRunning } from "../support/running-clew.ts";
import type { Stage } from "../support/stage.ts";

/** Writes a workspace of three pages, which is synced in no time. Gives its folder. */
export async function writeSmallWorkspace(stage: Stage): Promise<string> {
  const folder = join(stage.folder, "pages");
  await writeFiles(folder, {
    "_workspace.yml": "name: Labyrinth\nicon: 🧶\n",
    "ariadne.md": markdownPage("Ariadne", "She gave [Theseus](theseus.md) a ball of thread."),
    "minotaur.md": markdownPage("Minotaur", "Half of it was a bull."),
    "theseus.md": markdownPage(
      "Theseus",
      "He met the [[Minotaur]], and came back along the thread of [[Ariadne]].",
    ),
  });
  return folder;
}

/** Starts a Clew over that workspace. Gives its PUBLIC_URL. */
export async function startSmallClew(stage: Stage): Promise<URL> {
  const clew = await startRunning({ directory: await writeSmallWorkspace(stage) });
  stage.defer(() => clew.stop());
  return clew.url;
}
