import type { Provider } from "../port.ts";
import { createApis, type NotionNetwork } from "./api.ts";
import { type Credentials, createOAuth } from "./oauth.ts";
import { createReader } from "./reader.ts";
import { pageOfUrl } from "./urls.ts";
import { notionWebhooks } from "./webhook.ts";

/** Notion, or a service with the same API, with OAuth. */
export interface NotionOptions
  extends NotionNetwork,
    Credentials,
    Pick<Provider, "slug" | "aliases" | "name" | "standIn"> {
  /** The origin of the consent screen, if it is not the API's. */
  readonly consentUrl?: URL;
}

/** What Clew calls Notion itself. */
export const notionIdentity = { slug: "notion", aliases: [], name: "Notion", standIn: false };

/** Notion as Clew's provider, with OAuth. https://developers.notion.com/reference/intro */
export function createNotionProvider(options: NotionOptions): Provider {
  const { slug, aliases, name, standIn, apiUrl } = options;
  const { network, api } = createApis(options);
  return {
    slug,
    aliases,
    name,
    standIn,
    asksForCode: false,
    pageOfUrl: (url) => pageOfUrl(url, { demoUrl: options.demoUrl ?? null }),
    ...createOAuth(apiUrl, options, network),
    webhooks: notionWebhooks,
    reader: (accessToken, options) => createReader(api(accessToken, options)),
  };
}
