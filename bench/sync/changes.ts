import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { TestStandIn } from "@clew/stand-in/testing";

type Entry = ReturnType<TestStandIn["workspace"]>["entries"][number];

/** A change that a user makes in the workspace. */
export interface Change {
  readonly name: string;
  make(): Promise<void>;
}

/** Changes to three different pages of a folder that have no children. */
export function changesTo(
  directory: string,
  workspace: ReturnType<TestStandIn["workspace"]>,
  now: () => number,
): Change[] {
  const leaves = workspace.entries.filter(
    (entry) => entry.parent?.kind === "page" && entry.kind === "page" && entry.children.length === 0,
  );
  const pathOf = (entry: Entry | undefined) => {
    if (!entry?.file) throw new Error("The workspace has too few pages for these changes");
    return join(directory, entry.file.path);
  };
  const paths = [0.25, 0.5, 0.75].map((share) => pathOf(leaves[Math.floor(share * leaves.length)]));
  const [edited = "", moved = "", deleted = ""] = paths;
  return [
    {
      name: "one page edited",
      async make() {
        const text = await readFile(edited, "utf8");
        const updated = `updated: "${new Date(now()).toISOString()}"`;
        await writeFile(edited, `${text.replace(/^updated: .*$/m, updated)}\nAnother paragraph.\n`);
      },
    },
    { name: "one page moved", make: () => rename(moved, join(dirname(edited), basename(moved))) },
    { name: "one page deleted", make: () => rm(deleted) },
  ];
}
