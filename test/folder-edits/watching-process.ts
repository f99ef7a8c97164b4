import { openWorkspace, watchFolder } from "@clew/folder";
import { type Shown, shownIn } from "./shown.ts";

// A process that watches a folder and tells of what has changed, until it is killed.

export type Told =
  | { readonly type: "whole" | "settled"; readonly shown: readonly (readonly [string, Shown])[] }
  | { readonly type: "changed"; readonly shown: readonly (readonly [string, Shown | null])[] };

const [directory = "", memoryFile = ""] = process.argv.slice(2);
const opened = await openWorkspace(directory, { memoryFile });
const idAlone = (id: string) => id;
const tell = (told: Told) => process.send?.(told);

tell({ type: "whole", shown: [...shownIn(await opened.ready(), idAlone)] });
watchFolder(opened, {
  quiet: 20,
  onChange: (changed) => {
    const shown = shownIn(opened.current(), idAlone);
    tell({ type: "changed", shown: changed.map(({ id }) => [id, shown.get(id) ?? null]) });
  },
  onFailure: (error) => {
    throw error;
  },
});

process.on("message", async () => {
  const workspace = await opened.reload();
  tell({ type: "settled", shown: [...shownIn(workspace)] });
});
process.on("disconnect", () => process.exit());
