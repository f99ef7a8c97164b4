import type { Entry } from "../workspace/entry.ts";
import type { ScannedFolder } from "../workspace/scan.ts";
import { withoutEnding } from "../workspace/title.ts";
import { containersAsElements } from "./containers.ts";
import { type Dialect, folderAt, folderWithSettings, settingsIn } from "./dialect.ts";
import { withHomeText } from "./home.ts";
import { siteLinks } from "./site.ts";

const settings = /^astro\.config\./;
const docs = "src/content/docs";

/**
 * Astro Starlight (https://starlight.astro.build/guides/pages/, /guides/i18n/). Pages are below `src/content/docs`, where each
 * language may have a folder. The address of a page that is not translated shows the page of the default language.
 */
export const starlight: Dialect = {
  id: "starlight",
  name: "Astro Starlight",
  detects: (folder) => rootOf(folder) !== null,
  readText: (_file, text) => withHomeText(text),
  prepare: containersAsElements,
  links(files) {
    const site = rootOf(files.folder);
    const root = site === null ? "" : join(site.path, docs);
    const text = site === null ? "" : (settingsIn(site, settings) ?? "");
    const main = /defaultLocale:\s*["'`]([^"'`]+)/.exec(text)?.[1] ?? "root";
    const folders = folderAt(files.folder, root)?.folders.map(({ name }) => name) ?? [];
    const languages = new Set(
      main === "root" && !/locales\s*[:,]/.test(text) ? [] : folders.filter(isLanguage),
    );
    return siteLinks(files, {
      addressOf: (entry) => addressOf(entry, root),
      candidates(address) {
        const [, first = "", ...rest] = address.split("/");
        if (!languages.has(first)) return [address];
        return [address, `/${[...(main === "root" ? [] : [main]), ...rest].join("/")}`];
      },
    });
  },
};

/** The folder of the Astro project. */
function rootOf(folder: ScannedFolder): ScannedFolder | null {
  const found = folderWithSettings(folder, settings);
  return found !== null && folderAt(found, docs) !== null ? found : null;
}

function addressOf({ file, frontMatter }: Entry, root: string): string | null {
  const prefix = root === "" ? "" : `${root}/`;
  if (file === null || !file.path.startsWith(prefix)) return null;
  const below = withoutEnding(file.path.slice(prefix.length)).replace(/(?:^|\/)index$/, "");
  const { slug } = frontMatter;
  const place = typeof slug === "string" ? slug : below.split("/").map(slugOf).join("/");
  return `/${place}/`.replace(/\/{2,}/g, "/");
}

/** A part of a path as Astro writes it in addresses (github-slugger). */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(" ", "-")
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}-]/gu, "");
}

function isLanguage(name: string): boolean {
  return /^[a-z]{2,3}(?:-[a-z0-9]+)*$/i.test(name);
}

function join(folder: string, below: string): string {
  return folder === "" ? below : `${folder}/${below}`;
}
