import path from "node:path";
import { writtenLinks } from "../../corpus/count-links.ts";
import { decoded, type Link, type Truth } from "./folder.ts";

/**
 * Markdown without a tool, as forges show it (docs.github.com: Basic writing and formatting syntax, Relative links): an address is a path
 * relative to the file, or from the root of the folder if it begins with a slash. A folder stands for its `README.md` or `index.md`.
 */
export const plain: Truth = async ({ pages }) => {
  const files = new Set(pages.map((page) => page.path));
  return pages.flatMap(({ path: from, text }) =>
    writtenLinks(text, "md").flatMap(({ target }): Link[] => {
      const to = placesOf(from, target).find((place) => files.has(place));
      return to === undefined ? [] : [{ from, to, written: target }];
    }),
  );
};

/** The files that an address may mean. */
function placesOf(from: string, target: string): string[] {
  const [written = ""] = target.split(/[?#]/);
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|$)/i.test(written)) return [];
  const address = decoded(written);
  const place = path.posix.join(address.startsWith("/") ? "." : path.posix.dirname(from), address);
  return [place, `${place}.md`, path.posix.join(place, "README.md"), path.posix.join(place, "index.md")];
}
