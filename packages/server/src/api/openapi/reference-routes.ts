import { createHash } from "node:crypto";
import type { Provider } from "@clew/provider";
import type { Config } from "../../config/config.ts";
import { entityTag, matchesEntityTag } from "../../http/content-negotiation.ts";
import type { App } from "../../http/server.ts";
import { renderLlms } from "./llms.ts";
import { renderReference } from "./reference.ts";
import { referenceStyle } from "./reference-style.ts";

/** No script, nothing from elsewhere, and no other style than the page's own. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(referenceStyle).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headers = {
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache",
};

/** `GET /docs/api`: the reference of the API for people. `GET /llms.txt`: where everything is, for language models. */
export async function referenceRoutes(
  app: App,
  { config, provider }: { config: Pick<Config, "publicUrl">; provider: Pick<Provider, "product"> },
): Promise<void> {
  const url = config.publicUrl.href.replace(/\/$/, "");
  const base = config.publicUrl.pathname.replace(/\/$/, "");
  page(app, "/docs/api", "text/html; charset=utf-8", () =>
    renderReference(app.swagger(), { style: referenceStyle, base }),
  );
  page(app, "/llms.txt", "text/plain; charset=utf-8", () => renderLlms(url, provider.product));
}

/** A page that is rendered once, at its first request, when all routes are known. */
function page(app: App, path: string, mediaType: string, render: () => string): void {
  let rendered: { readonly text: string; readonly etag: string } | null = null;
  const config = { access: { kind: "open" }, isCompressed: true } as const;
  app.get(path, { schema: { hide: true }, config }, async (request, reply) => {
    if (rendered === null) {
      const text = render();
      rendered = { text, etag: entityTag([text]) };
    }
    reply.headers({ ...headers, etag: rendered.etag });
    if (matchesEntityTag(request.headers["if-none-match"], rendered.etag)) return reply.code(304).send();
    return reply.type(mediaType).send(rendered.text);
  });
}
