import type { ScannedFile } from "./scan.ts";
import type { DatabaseSchema } from "./schema.ts";

/** A page or database of the workspace. Times are milliseconds since the Unix epoch, whole minutes. */
export interface Entry {
  readonly id: string;
  readonly kind: "page" | "database";
  /** Of its file or folder, relative to the workspace. */
  readonly path: string;
  readonly title: string;
  /** An emoji or an https URL. */
  readonly icon: string | null;
  readonly createdAt: number;
  readonly editedAt: number;
  readonly parent: Entry | null;
  /** In the order of the folder: files first, then folders. */
  readonly children: readonly Entry[];
  /** The file that holds the text; a folder may have none. */
  readonly file: ScannedFile | null;
  /** The text without its front matter. */
  readonly body: string;
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** Only of a database. */
  readonly schema: DatabaseSchema | null;
}

/** The entry at the top of the workspace that this one lies below, or is itself. What a person shares is such an entry. */
export function rootOf(entry: Entry): Entry {
  let root = entry;
  while (root.parent !== null) root = root.parent;
  return root;
}

/** Something in the folder that could not be used as it is. */
export interface Warning {
  readonly path: string;
  readonly message: string;
}
