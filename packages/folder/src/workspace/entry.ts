import type { DatabaseSchema } from "./descriptions.ts";
import type { ScannedFile } from "./scanned-file.ts";

/** A page or database. Times are milliseconds since the Unix epoch. */
export interface Entry {
  readonly id: string;
  /** The origin of its ids: its path, or the id that its front matter gives (`givenOrigin`). */
  readonly origin: string;
  readonly kind: "page" | "database";
  /** The path of its file or folder, relative to the workspace. */
  readonly path: string;
  readonly title: string;
  /** Other names under which search finds it: that of its file or folder, and those in its front matter. */
  readonly aliases: readonly string[];
  /** An emoji or an https URL. */
  readonly icon: string | null;
  readonly createdAt: number;
  /** Later than its own date if its text or the targets of its links have changed without it. */
  editedAt: number;
  /** Whether it is in the trash, itself or with an ancestor. */
  readonly inTrash: boolean;
  /** Another object after an edit of its text, in all workspaces (`replaceInTree`). */
  parent: Entry | null;
  /** Files first, then folders. Another list after an edit of one of them. */
  children: readonly Entry[];
  /** The file with its text; null for a folder without one. */
  readonly file: ScannedFile | null;
  /** The text without its front matter. */
  readonly body: string;
  /** Markdown that is not shown, but of which links and tags count. */
  readonly hidden: string;
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** Null for a page. */
  readonly schema: DatabaseSchema | null;
}

/** Something in the folder that was ignored. */
export interface Warning {
  /** Empty if it is about several files. */
  readonly path: string;
  readonly message: string;
}
