import type { ScannedFolder } from "../workspace/scan.ts";
import { type Dialect, dialectIds } from "./dialect.ts";
import { docusaurus } from "./docusaurus.ts";
import { hugo } from "./hugo.ts";
import { logseq } from "./logseq.ts";
import { mdbook } from "./mdbook.ts";
import { obsidian } from "./obsidian.ts";
import { starlight } from "./starlight.ts";
import { vitepress } from "./vitepress.ts";

/** Markdown without a tool: paths, names, titles and aliases. */
const plainDialect: Dialect = { id: "plain", name: "plain Markdown", detects: () => true };

/** Tools with settings of their own come before those that are known by the form of files alone. */
const dialects: readonly Dialect[] = [
  docusaurus,
  starlight,
  vitepress,
  mdbook,
  logseq,
  hugo,
  obsidian,
  plainDialect,
];

/** The dialect that `_workspace.yml` names, or else that of the first tool whose folder this is; a fault for a name that is none. */
export function dialectOf(folder: ScannedFolder, given: unknown): { dialect: Dialect; fault: string | null } {
  const named = dialects.find(({ id }) => id === given);
  if (named !== undefined) return { dialect: named, fault: null };
  return {
    dialect: dialects.find((dialect) => dialect.detects(folder)) ?? plainDialect,
    fault: given === undefined ? null : `ignored the dialect, which is none of ${dialectIds.join(", ")}`,
  };
}
