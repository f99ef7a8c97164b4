import type { Workspace } from "@clew/folder";
import type { FastifyInstance, FastifyReply } from "fastify";
import { type Consent, type ConsentParts, createConsent, errorPage } from "./consent.ts";
import { pageAnswer, type SiteAnswer, siteStyle } from "./layout.ts";
import { pageView, signInFirst } from "./page-view.ts";

/**
 * The pages for browsers: the consent screen and the page views. A server that mounts the site routes `GET` and
 * `POST /v1/oauth/authorize`, `GET /site.css` and `GET /pages/:id` to it.
 */
export interface Site extends Consent {
  /** Shows a page to a browser that has signed in, which its `Cookie` header shows; a 403 asks others to sign in. */
  page(id: string, cookies: string | undefined): SiteAnswer;
  readonly style: SiteAnswer;
}

interface SiteParts extends ConsentParts {
  readonly look: string;
  /** The address at which the client's sign-in begins; null if it is not known. */
  readonly signInUrl: string | null;
  workspace(): Workspace;
}

export function createSite(parts: SiteParts): Site {
  const { basePath, readers, signInUrl } = parts;
  return {
    ...createConsent(parts),
    page(id, cookies) {
      if (!readers.isIn(cookies)) return pageAnswer(403, signInFirst(basePath, signInUrl));
      const view = pageView(parts.workspace(), basePath, id);
      if (view !== null) return pageAnswer(200, view);
      return pageAnswer(404, errorPage(basePath, "There is no page at this address."));
    },
    style: {
      status: 200,
      headers: { "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" },
      body: siteStyle(parts.look),
    },
  };
}

/** Serves the site at the root of a server. */
export async function siteRoutes(app: FastifyInstance, site: Site): Promise<void> {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: unknown, body: string | Buffer) => new URLSearchParams(body.toString()),
  );
  app.get("/site.css", (_request, reply) => send(reply, site.style));
  app.get<{ Params: { id: string } }>("/pages/:id", ({ params, headers }, reply) =>
    send(reply, site.page(params.id, headers.cookie)),
  );
  app.get("/v1/oauth/authorize", ({ query }, reply) => send(reply, site.consentScreen(query)));
  app.post("/v1/oauth/authorize", async ({ body }, reply) =>
    send(reply, await site.submitConsent(body instanceof URLSearchParams ? body : new URLSearchParams())),
  );
}

function send(reply: FastifyReply, { status, headers, body }: SiteAnswer): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}
