import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { connectPage, directory, pages } from "@clew/dashboard";
import type { Config } from "../config/config.ts";
import { entityTag } from "../http/content-negotiation.ts";
import type { HtmlPage } from "../http/not-found-page.ts";
import type { App } from "../http/server.ts";
import { isLoopback } from "../model/loopback.ts";
import {
  encodings,
  isolated,
  open,
  pageHeaders,
  sendUnlessKnown,
  sendVariant,
  type Variant,
  variantOf,
} from "./built-files.ts";

/** The end of the name of a compressed copy that was made ahead. */
const endings = { br: ".br", gzip: ".gz" } as const;

/** The page for browsers that ask for a path that does not exist. */
export async function readNotFoundPage(config: Config): Promise<HtmlPage> {
  return { headers: { ...pageHeaders, ...isolated }, body: await readPage(config, "not-found.html") };
}

/**
 * The dashboard's files, read once at start: `index.html` at the path of each view, and the files that it loads, which
 * never change under their names.
 */
export async function dashboardRoutes(app: App, { config }: { config: Config }): Promise<void> {
  const page = await readPage(config, "index.html");
  const headers = { ...pageHeaders, "cache-control": "no-cache", etag: entityTag([page]) };
  for (const path of pages) {
    // A program in a browser opens a window for the consent, which reports to it once it is back on the program's page.
    const pageOnly = path === connectPage ? headers : { ...headers, ...isolated };
    app.get(`/dashboard${path.replace(/\/$/, "")}`, open, async (request, reply) => {
      if (isOtherLoopbackName(request.hostname, config.publicUrl.hostname))
        return reply.redirect(`${config.publicUrl.origin}${request.url}`);
      return sendUnlessKnown(request, reply.headers(pageOnly), headers.etag, page);
    });
  }
  for (const { name, variants } of await readAssets())
    app.get(`/dashboard/assets/${name}`, open, async (request, reply) => {
      reply.header("cache-control", "public, max-age=31536000, immutable");
      return sendVariant(request, reply, name, variants);
    });
}

/**
 * Whether the browser used another loopback name than PUBLIC_URL, such as 127.0.0.1 for localhost. Cookies of one name
 * are not sent to the other, so a sign-in that starts there would fail.
 */
function isOtherLoopbackName(asked: string, own: string): boolean {
  return asked !== own && isLoopback(asked) && isLoopback(own);
}

/** A page that is built with the dashboard. Its links start from one base, whatever its own path is. */
export async function readPage({ publicUrl }: Pick<Config, "publicUrl">, name: string): Promise<string> {
  const base = `${publicUrl.pathname.replace(/\/$/, "")}/dashboard/`;
  return (await readFile(join(directory, name), "utf8")).replace('href="./"', `href="${base}"`);
}

async function readAssets(): Promise<{ name: string; variants: readonly Variant[] }[]> {
  const folder = join(directory, "assets");
  const isCopy = (name: string) => Object.values(endings).some((end) => name.endsWith(end));
  const names = (await readdir(folder)).filter((name) => !isCopy(name));
  return Promise.all(
    names.map(async (name) => {
      // The name has a hash of the content.
      const variants = [...encodings, null].map(async (encoding) => {
        const end = encoding === null ? "" : endings[encoding];
        return variantOf(encoding, await readFile(join(folder, name + end)), [name]);
      });
      return { name, variants: await Promise.all(variants) };
    }),
  );
}
