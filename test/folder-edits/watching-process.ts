import { openWorkspace, watchFolder } from "@clew/folder";
import { type Shown, shownIn } from "./shown.ts";

// A process that watches a folder and reports changes, until it is killed.

export type Told =
  | { readonly type: "whole"; readonly shown: readonly (readonly [string, Shown])[] }
  | {
      readonly type: "settled";
      /** Pages name others by their paths. */
      readonly shown: readonly (readonly [string, Shown])[];
      /** Pages name others by their ids, as in earlier reports. */
      readonly byId: readonly (readonly [string, Shown])[];
      /** Those of the ids in question that may be in a part that cannot be read. */
      readonly unread: readonly string[];
      readonly hasUnread: boolean;
    }
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

process.on("message", async (ids: readonly string[]) => {
  const workspace = await opened.reload();
  const [shown, byId] = [[...shownIn(workspace)], [...shownIn(workspace, idAlone)]];
  const unread = ids.filter((id) => opened.isUnread(id));
  tell({ type: "settled", shown, byId, unread, hasUnread: opened.hasUnread() });
});
process.on("disconnect", () => process.exit());
