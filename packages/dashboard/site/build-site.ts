import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runnerImport } from "vite";
import type { SearchSection, SitePage, SiteSection } from "../src/docs/site-page.ts";
import { destinationOf, type Linkable, pictureName } from "./destinations.ts";
import { addressOf, docsSections, unlisted } from "./pages.ts";
import { readPage, searchSectionsOf } from "./read-page.ts";

const root = join(import.meta.dirname, "../../..");

/**
 * Writes the documentation into `docs` of a built dashboard: a file of HTML for each page, the pictures, and the index of the
 * search. Takes the frame with the names of the built files from `docs.html`, and removes it.
 */
export async function buildSite(folder: string): Promise<void> {
  const template = await readFile(join(folder, "docs.html"), "utf8");
  await rm(join(folder, "docs.html"));
  // The page's base is `/docs/`, and its files are with those of the dashboard.
  const frame = template.replaceAll('"./assets/', '"../dashboard/assets/');
  const [, markUrl = ""] = /rel="icon" href="([^"]+)"/.exec(frame) ?? [];
  const renderer = await loadRenderer();
  await buildReferenceFrame(folder, renderer, markUrl);
  const linkable = await findLinkable();
  const searchable = new Set(listed);
  const index: SearchSection[] = [];
  for (const file of linkable.pages) {
    const read = readPage(await readFile(join(root, file), "utf8"));
    const address = addressOf(file);
    const page: SitePage = {
      ...read,
      address,
      destinationOf: (target) => destinationOf(file, target, linkable),
    };
    if (searchable.has(file)) index.push(...searchSectionsOf(read, address));
    const body = renderer.renderPage(page, sections, markUrl);
    await write(join(folder, "docs", `${address || "index"}.html`), inFrame(frame, page.title, body));
  }
  await write(join(folder, "docs", "search.json"), jsonLines(index));
  for (const path of linkable.pictures)
    await cp(join(root, path), join(folder, "docs", pictureName(path)), { recursive: true });
}

/** Fills the frame of the API reference, whose texts the server puts in: it has the document that they are made of. */
async function buildReferenceFrame(folder: string, renderer: Renderer, markUrl: string): Promise<void> {
  const path = join(folder, "reference.html");
  const frame = (await readFile(path, "utf8")).replaceAll('"./assets/', '"../dashboard/assets/');
  const body = withoutPreloads(renderer.renderReferenceFrame(markUrl));
  await writeFile(
    path,
    frame
      .replace(/<title>.*?<\/title>/, "<title><!--title--> · Clew</title>")
      .replace(/<body>\s*<\/body>/, () => `<body>\n${body}\n</body>`),
  );
}

const listed = docsSections.flatMap(({ pages }) => pages.map(({ file }) => file));

const sections: readonly SiteSection[] = docsSections.map(({ title, pages }) => ({
  title,
  pages: pages.map(({ file, title }) => ({ address: addressOf(file), title })),
}));

interface Renderer {
  readonly renderPage: (page: SitePage, sections: readonly SiteSection[], markUrl: string) => string;
  readonly renderReferenceFrame: (markUrl: string) => string;
}

/** Loads the source of the pages through Vite, since Node reads no JSX. */
async function loadRenderer(): Promise<Renderer> {
  const path = join(import.meta.dirname, "../src/docs/render.tsx");
  const { module } = await runnerImport<Renderer>(path, { configFile: false, logLevel: "warn" });
  return module;
}

async function findLinkable(): Promise<Linkable> {
  const decisions = (await readdir(join(root, unlisted))).filter((name) => name.endsWith(".md")).toSorted();
  const pictures = (await readdir(join(root, "docs/pictures"))).toSorted();
  return {
    pages: new Set([...listed, ...decisions.map((name) => unlisted + name)]),
    pictures: new Set([...pictures.map((name) => `docs/pictures/${name}`), "docs/benchmarks.svg"]),
  };
}

/** Puts a page into the frame, a block a line: two changes of one page can then be merged as their sources are. */
function inFrame(frame: string, title: string, body: string): string {
  const lines = withoutPreloads(body).replaceAll(
    /(?<=<\/(?:p|li|tr|h[1-6]|nav|header|section)>)(?=<)/g,
    "\n",
  );
  const name = title === "Clew" ? title : `${title} · Clew`;
  return frame
    .replace(
      /<title>.*?<\/title>/,
      () => `<title>${name.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</title>`,
    )
    .replace(/<body>\s*<\/body>/, () => `<body>\n${lines}\n</body>`);
}

/** Without the requests that React puts before a page to load its pictures early: those below the fold would load too. */
const withoutPreloads = (body: string): string =>
  body.replaceAll(/<link rel="preload" as="image"[^>]*>/g, "");

/** A list with an item a line, for the same reason. */
const jsonLines = (items: readonly object[]): string =>
  `[\n${items.map((item) => JSON.stringify(item)).join(",\n")}\n]\n`;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
