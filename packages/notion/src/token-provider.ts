import { type Provider, ProviderError, type ReaderOptions, type WorkspaceReader } from "@clew/provider";
import { createApis, type NotionApi, type NotionNetwork } from "./api.ts";
import { type TokenOwner, tokenOwnerOf } from "./grant.ts";
import { notionIdentity, product } from "./provider.ts";
import { createReader } from "./reader.ts";
import { pageOfUrl } from "./urls.ts";
import { notionWebhooks } from "./webhook.ts";

interface TokenOptions extends Omit<NotionNetwork, "demoUrl"> {
  readonly token: string;
  /** The page that asks for the one-time code, in place of Notion's consent screen. */
  readonly codeUrl: URL;
}

/**
 * Notion with the one token from the settings (SIGN-12). A connection stores who owned the token, not the token itself:
 * a new token of the same owner continues the connection, and another person's token cannot read it.
 */
export function createTokenProvider({ token, codeUrl, ...options }: TokenOptions): Provider {
  const { api } = createApis(options);
  let cachedOwner: TokenOwner | null = null;

  const readerFor = (grant: string, readerOptions: ReaderOptions = {}): WorkspaceReader => {
    const tokenApi = api(token, readerOptions);
    const ifOwned = async <T>(call: () => Promise<T>): Promise<T> => {
      cachedOwner ??= await fetchOwner(tokenApi);
      if (grantNameOf(cachedOwner) === grant) return call();
      throw new ProviderError("unauthorized", "NOTION_TOKEN belongs to another person than this connection");
    };
    return createReader({
      ...tokenApi,
      call: (work) => ifOwned(() => tokenApi.call(work)),
      pageMarkdown: (id) => ifOwned(() => tokenApi.pageMarkdown(id)),
    });
  };

  return {
    ...notionIdentity,
    people: notionIdentity.slug,
    product,
    setup: null,
    hasTags: false,
    sortsByEdit: true,
    asksForCode: true,
    pageOfUrl,
    webhooks: notionWebhooks,
    authorizationUrl({ state }) {
      const url = new URL(codeUrl);
      url.searchParams.set("state", state);
      return url.href;
    },
    async exchange({ signal }) {
      cachedOwner = await fetchOwner(api(token, { signal }));
      return { ...cachedOwner, accessToken: grantNameOf(cachedOwner), refreshToken: null };
    },
    async refresh() {
      throw new ProviderError("refused", "Grants of an OAuth app cannot be renewed with NOTION_TOKEN");
    },
    async revoke(accessToken) {
      // The token belongs to the operator, who revokes it at Notion.
      if (isGrantName(accessToken)) return;
      throw new ProviderError("refused", "Grants of an OAuth app cannot be revoked with NOTION_TOKEN");
    },
    reader: (accessToken, options) =>
      isGrantName(accessToken) ? readerFor(accessToken, options) : createReader(api(accessToken, options)),
  };
}

const prefix = "NOTION_TOKEN of ";

/** A name that a connection stores in place of an access token. It grants nothing by itself. */
const grantNameOf = ({ person, workspace }: TokenOwner) => `${prefix}${person.id} in ${workspace.id}`;

const isGrantName = (accessToken: string) => accessToken.startsWith(prefix);

async function fetchOwner(api: NotionApi): Promise<TokenOwner> {
  try {
    return tokenOwnerOf(await api.call((client) => client.users.me({})));
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== "unauthorized") throw error;
    throw new ProviderError("unauthorized", "NOTION_TOKEN was not accepted by Notion", { cause: error });
  }
}
