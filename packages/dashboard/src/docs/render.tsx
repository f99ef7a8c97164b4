import { renderToStaticMarkup } from "react-dom/server";
import { Page } from "./page.tsx";
import type { SitePage, SiteSection } from "./site-page.ts";

/** Renders the body of a page as HTML. `markUrl` is the address of Clew's mark. */
export function renderPage(page: SitePage, sections: readonly SiteSection[], markUrl: string): string {
  return renderToStaticMarkup(<Page page={page} sections={sections} markUrl={markUrl} />);
}
