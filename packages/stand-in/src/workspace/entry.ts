import type { DatabaseSchema } from "./descriptions.ts";
import type { ScannedFile } from "./scan.ts";

/** A page or database of the workspace. Times are milliseconds since the Unix epoch, whole minutes. */
export interface Entry {
  readonly id: string;
  /** What its ids follow from: its path, unless it was given an id that it keeps wherever it goes. */
  readonly origin: string;
  readonly kind: "page" | "database";
  /** Of its file or folder, relative to the workspace. */
  readonly path: string;
  readonly title: string;
  /** Other names that it is found under: that of its file or folder, and those that its front matter gives. */
  readonly aliases: readonly string[];
  /** An emoji or an https URL. */
  readonly icon: string | null;
  readonly createdAt: number;
  /** Later than its file was edited where its links lead elsewhere since. */
  editedAt: number;
  /** Whether it lies in the trash, by itself or with something above it. */
  readonly inTrash: boolean;
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

/** Something in the folder that could not be used as it is. */
export interface Warning {
  readonly path: string;
  readonly message: string;
}
