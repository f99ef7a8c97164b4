import { createTextParser, type TextParser, textTasksFor } from "@clew/provider-text";
import { readAddresses } from "./addresses.ts";

/** The work on a folder's texts whose time grows with the text. All folders write addresses alike. */
export const textTasks = textTasksFor<null>(() => readAddresses);

/** Works on texts of folders of any size. */
export type FolderTextParser = TextParser<typeof textTasks, null>;

export function createFolderTextParser(): FolderTextParser {
  return createTextParser(textTasks, new URL("./text-worker.ts", import.meta.url));
}
