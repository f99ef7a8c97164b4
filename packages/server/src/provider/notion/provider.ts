import type { Provider } from "../port.ts";
import { createApis, type NotionNetwork } from "./apis.ts";
import { type Credentials, createOAuth } from "./oauth.ts";
import { createReader } from "./reader.ts";
import { notionWebhooks } from "./webhook.ts";

/** What makes a Notion, or something that speaks like it, Clew's provider. */
export interface NotionOptions extends NotionNetwork, Credentials {
  readonly slug: string;
  readonly aliases: readonly string[];
  readonly name: string;
  readonly standIn: boolean;
  /** Where people's browsers reach it, where that is elsewhere. */
  readonly consentUrl?: URL;
}

/** Notion as Clew's provider, by OAuth. https://developers.notion.com/reference/intro */
export function createNotionProvider(options: NotionOptions): Provider {
  const { slug, aliases, name, standIn, apiUrl } = options;
  const { network, api } = createApis(options);
  return {
    slug,
    aliases,
    name,
    standIn,
    asksForCode: false,
    ...createOAuth(apiUrl, options, network),
    webhooks: notionWebhooks,
    reader: (accessToken, onWait) => createReader(api(accessToken, onWait)),
  };
}
