import type { Workspace } from "../workspace/workspace.ts";
import { pageAnswer, type SiteAnswer } from "./answer.ts";
import { type Consent, type ConsentParts, createConsent } from "./consent.ts";
import { faultPage } from "./consent-page.ts";
import { pageView } from "./page-view.ts";
import { siteStyle } from "./style.ts";

/**
 * What people open in a browser: the consent screen and views of the pages. Whoever mounts it answers these paths below
 * the site's address: `GET` and `POST /v1/oauth/authorize`, `GET /site.css` and `GET /pages/:id`.
 */
export interface Site extends Consent {
  page(id: string): SiteAnswer;
  readonly style: SiteAnswer;
}

export function createSite(parts: ConsentParts & { workspace(): Workspace }): Site {
  const { basePath } = parts;
  return {
    ...createConsent(parts),
    page(id) {
      const view = pageView(parts.workspace(), basePath, id);
      if (view !== null) return pageAnswer(200, view);
      return pageAnswer(404, faultPage(basePath, "There is no page at this address."));
    },
    style: {
      status: 200,
      headers: { "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" },
      body: siteStyle,
    },
  };
}
