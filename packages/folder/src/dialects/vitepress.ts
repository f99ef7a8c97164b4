import path from "node:path";
import { withoutEnding } from "../workspace/title.ts";
import { containersAsElements } from "./containers.ts";
import { type Dialect, folderWithSettings, linkToIncluded, outsideCode, settingsIn } from "./dialect.ts";
import { withHomeText } from "./home.ts";
import { siteLinks } from "./site.ts";

const settings = /^\.vitepress$/;

/** VitePress (https://vitepress.dev/guide/routing). Pages are below `srcDir` of the folder that holds `.vitepress`. */
export const vitepress: Dialect = {
  id: "vitepress",
  name: "VitePress",
  detects: (folder) => folderWithSettings(folder, settings) !== null,
  readText: (_file, text) => withHomeText(text),
  prepare: (body) => containersAsElements(outsideCode(body, withIncludes)),
  links(files) {
    const project = folderWithSettings(files.folder, settings);
    const text = project === null ? "" : (settingsIn(project, settings) ?? "");
    const source = /srcDir:\s*["'`]([^"'`]+)/.exec(text)?.[1] ?? "";
    const root = path.posix.join("/", project?.path ?? "", source).replace(/\/$/, "");
    return siteLinks(files, {
      addressOf({ file }) {
        const place = `/${withoutEnding(file?.path ?? "")}`;
        return place.startsWith(`${root}/`) ? place.slice(root.length).replace(/\/index$/, "/") : null;
      },
    });
  },
};

/** `<!--@include: ./part.md-->` puts another page into this one (https://vitepress.dev/guide/markdown#markdown-file-inclusion). */
function withIncludes(prose: string): string {
  return prose.replace(
    /<!--\s*@include:([^<>]*)-->/g,
    (whole, parameters: string) => linkToIncluded(parameters, /[\s{#]/) ?? whole,
  );
}
