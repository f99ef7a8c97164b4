import { type Provider, ProviderError, type WorkspaceReader } from "../port.ts";
import type { NotionApi } from "./api.ts";
import { createApis, type NotionNetwork } from "./apis.ts";
import { createReader } from "./reader.ts";
import { type TokenOwner, tokenOwnerOf } from "./token-owner.ts";
import { notionWebhooks } from "./webhook.ts";

interface TokenOptions extends Omit<NotionNetwork, "demoUrl"> {
  readonly token: string;
  /** Where Clew asks for the one-time code that takes the place of Notion's consent. */
  readonly codeUrl: URL;
}

/**
 * Notion as Clew's provider, by one token from the settings (SIGN-12). What a connection keeps is not the token but whose
 * it was: a new token of the same owner goes on with their connection, and one of somebody else's never reads into it.
 */
export function createTokenProvider({ token, codeUrl, ...options }: TokenOptions): Provider {
  const { api } = createApis(options);
  let known: TokenOwner | null = null;

  const owner = async (signal: AbortSignal): Promise<TokenOwner> => {
    known ??= await askForOwner(api(token), signal);
    return known;
  };

  const readAs = (grant: string, onWait?: (until: number) => void): WorkspaceReader => {
    const own = api(token, onWait);
    return createReader({
      ...own,
      async call(signal, work) {
        if (grantOf(await owner(signal)) === grant) return own.call(signal, work);
        throw new ProviderError("unauthorized", "NOTION_TOKEN belongs to somebody else now");
      },
    });
  };

  return {
    slug: "notion",
    aliases: [],
    name: "Notion",
    standIn: false,
    asksForCode: true,
    webhooks: notionWebhooks,
    authorizationUrl({ state }) {
      const url = new URL(codeUrl);
      url.searchParams.set("state", state);
      return url.href;
    },
    async exchange({ signal }) {
      known = await askForOwner(api(token), signal);
      return { ...known, accessToken: grantOf(known), refreshToken: null };
    },
    async refresh() {
      throw new ProviderError("refused", "Grants of an OAuth app cannot be renewed with NOTION_TOKEN");
    },
    async revoke(accessToken) {
      // The token is the operator's: it ends where it was made.
      if (isTokenGrant(accessToken)) return;
      throw new ProviderError("refused", "Grants of an OAuth app cannot be given back with NOTION_TOKEN");
    },
    reader: (accessToken, onWait) =>
      isTokenGrant(accessToken) ? readAs(accessToken, onWait) : createReader(api(accessToken, onWait)),
  };
}

const prefix = "NOTION_TOKEN of ";

/** What a connection keeps in place of a token: it opens nothing by itself. */
const grantOf = ({ person, workspace }: TokenOwner) => `${prefix}${person.id} in ${workspace.id}`;

const isTokenGrant = (accessToken: string) => accessToken.startsWith(prefix);

async function askForOwner(api: NotionApi, signal: AbortSignal): Promise<TokenOwner> {
  try {
    return tokenOwnerOf(await api.call(signal, (client) => client.users.me({})));
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== "unauthorized") throw error;
    throw new ProviderError("unauthorized", "NOTION_TOKEN was not accepted by Notion", { cause: error });
  }
}
