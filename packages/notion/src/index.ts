export { defaultRequestsPerMinute, type NotionNetwork } from "./api.ts";
export { createNotionProvider, type NotionOptions, notionIdentity, notionSetup } from "./provider.ts";
export { createTokenProvider } from "./token-provider.ts";
export { pageOfUrl } from "./urls.ts";
export { type Reading, vocabulary } from "./vocabulary.ts";
export { notionWebhooks } from "./webhook.ts";
