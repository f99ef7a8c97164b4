import { renderToStaticMarkup } from "react-dom/server";
import { ReferenceFrame } from "../reference/frame.tsx";
import { Page } from "./page.tsx";
import type { SitePage, SiteSection } from "./site-page.ts";

/** Renders the body of a page as HTML. `markUrl` is the address of Clew's mark. */
export function renderPage(page: SitePage, sections: readonly SiteSection[], markUrl: string): string {
  return renderToStaticMarkup(<Page page={page} sections={sections} markUrl={markUrl} />);
}

/** Renders the body of the API reference's pages as HTML, with a comment in each place for what differs between them. */
export function renderReferenceFrame(markUrl: string): string {
  return renderToStaticMarkup(<ReferenceFrame markUrl={markUrl} list="{list}" content="{content}" />)
    .replace("{list}", "<!--list-->")
    .replace("{content}", "<!--content-->");
}
