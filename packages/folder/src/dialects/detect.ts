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
const plainDialect: Dialect = { id: "plain", name: "plain Markdown", detects: () => false };

/** In the order in which settings are looked for: a site may be edited as a vault too. */
const dialects = [docusaurus, starlight, vitepress, mdbook, logseq, hugo, obsidian, plainDialect] as const;

/** A dialect by its id, as another thread names it. */
export function dialectNamed(id: Dialect["id"]): Dialect {
  return dialects.find((dialect) => dialect.id === id) ?? plainDialect;
}

/** In the order in which the form of files decides. A vault may have a note `_index`. */
const byForm = [mdbook, logseq, obsidian, hugo] as const;

/** The dialect that `_workspace.yml` names, or else that of the first tool whose folder this is; a fault for a name that is none. */
export function dialectOf(folder: ScannedFolder, given: unknown): { dialect: Dialect; fault: string | null } {
  const named = dialects.find(({ id }) => id === given);
  if (named !== undefined) return { dialect: named, fault: null };
  const detected = dialects.find((dialect) => dialect.detects(folder));
  const resembled = byForm.find((dialect) => dialect.resembles?.(folder));
  return {
    dialect: detected ?? resembled ?? plainDialect,
    fault: given === undefined ? null : `ignored the dialect, which is none of ${dialectIds.join(", ")}`,
  };
}
