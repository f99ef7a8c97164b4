import type { Provider, SetupGuide } from "@clew/provider";
import { createApis, type NotionNetwork } from "./api.ts";
import { type Credentials, createOAuth } from "./oauth.ts";
import { createReader } from "./reader.ts";
import { pageOfUrl } from "./urls.ts";
import { notionWebhooks } from "./webhook.ts";

/** Notion, or a service with the same API, with OAuth. */
export interface NotionOptions
  extends NotionNetwork,
    Credentials,
    Pick<Provider, "slug" | "aliases" | "name" | "standIn" | "folder"> {
  /** None by default. */
  readonly setup?: SetupGuide;
  /** The origin of the consent screen, if it is not the API's. */
  readonly consentUrl?: URL;
}

/** The words for people and agents who read pages of Notion. The demo workspace says the same of its pages. */
export const product = "Notion";

/** The names of Notion itself. */
export const notionIdentity = { slug: "notion", aliases: [], name: "Notion", standIn: false };

/** How to connect Notion instead of the demo workspace. */
export const notionSetup: SetupGuide = {
  name: "Notion",
  steps: [
    "In Notion’s developer portal, create a personal access token, or a connection with its client id and secret.",
    "Set NOTION_TOKEN, or NOTION_CLIENT_ID and NOTION_CLIENT_SECRET, and start Clew again.",
  ],
};

/** Notion as Clew's provider, with OAuth. https://developers.notion.com/reference/intro */
export function createNotionProvider(options: NotionOptions): Provider {
  const { slug, aliases, name, standIn, folder = null, setup = null, apiUrl } = options;
  const { network, api } = createApis(options);
  return {
    slug,
    people: slug,
    aliases,
    name,
    product,
    standIn,
    folder,
    setup,
    hasTags: false,
    sortsByEdit: true,
    asksForCode: false,
    pageOfUrl: (url) => pageOfUrl(url, { demoUrl: options.demoUrl ?? null }),
    ...createOAuth(apiUrl, options, network),
    webhooks: notionWebhooks,
    reader: (accessToken, options) => createReader(api(accessToken, options)),
  };
}
