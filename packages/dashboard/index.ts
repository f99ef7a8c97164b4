import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { paths } from "./src/paths.ts";

export { compactJson } from "./src/reference/compact-json.ts";

/** The folder of the built dashboard: its HTML pages, and `assets` whose names have a hash of their content. */
export const directory = join(import.meta.dirname, "dist");

/** The folder of the built documentation. The address of a page below `/docs/` is the name of its file without `.html`. */
export const docsDirectory = join(directory, "docs");

/** The colours and typefaces of Clew as CSS variables, for pages that are not built with the dashboard. */
export const designTokens = readFileSync(join(import.meta.dirname, "src", "tokens.css"), "utf8");

/** The path of the view about a program that asks to be connected. Programs may open it in a window of their own. */
export const connectPage: string = paths.connect;

/** The paths below the dashboard's URL that `index.html` serves; `:name` stands for one segment. */
export const pages: readonly string[] = Object.values(paths).map((path) => path.replaceAll("$", ":"));

/**
 * Reads the page around the API reference. `<!--title-->`, `<!--list-->` and `<!--content-->` are the places of the texts that the
 * server puts in.
 */
export function readReferenceFrame(): Promise<string> {
  return readFile(join(directory, "reference.html"), "utf8");
}
