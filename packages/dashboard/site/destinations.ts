import { posix } from "node:path";
import type { DocsDestination } from "../src/docs/site-page.ts";
import { addressOf } from "./pages.ts";

/** The pages and pictures that a link may lead to, by their files below the root of the repository. */
export interface Linkable {
  readonly pages: ReadonlySet<string>;
  readonly pictures: ReadonlySet<string>;
}

/** Tells where a link in `file` leads on the site. */
export function destinationOf(file: string, address: string, { pages, pictures }: Linkable): DocsDestination {
  if (/^[a-z][a-z0-9+.-]*:/i.test(address)) return { kind: "elsewhere", href: address };
  const [target = "", fragment] = address.split("#");
  const path = target === "" ? file : posix.join(posix.dirname(file), target).replace(/\/$/, "");
  const page = [path, `${path}/README.md`].find((each) => pages.has(each));
  if (page !== undefined) {
    const href = addressOf(page) || "./";
    return { kind: "page", href: fragment === undefined ? href : `${href}#${fragment}` };
  }
  if (!pictures.has(path)) return { kind: "file", path };
  const dark = path.replace(/\.(\w+)$/, "-dark.$1");
  return { kind: "picture", src: pictureName(path), darkSrc: pictures.has(dark) ? pictureName(dark) : null };
}

/** The address of a picture below `/docs/`. */
export const pictureName = (path: string): string => `pictures/${posix.basename(path)}`;
