import { type Provider, ProviderError } from "@clew/provider";
import type { Client } from "@notionhq/client";
import { isAboutRedirectUri, notionClient, oauthErrorOf, type Send, toProviderError } from "./client.ts";
import { grantOf, renewedGrantOf } from "./grant.ts";
import { type Network, sendOnce } from "./http/retrying-fetch.ts";
import { textAt } from "./json.ts";

/** Clew's credentials at the provider. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * OAuth 2.0 as Notion has it. No request is repeated, because authorization codes and refresh tokens work once. If the
 * response to a renewal is lost, the caller must decide: another process may already have stored a newer pair.
 * https://developers.notion.com/docs/authorization
 */
export function createOAuth(
  apiUrl: URL,
  { clientId, clientSecret, consentUrl = apiUrl }: Credentials & { readonly consentUrl?: URL },
  network: Network,
): Pick<Provider, "authorizationUrl" | "exchange" | "refresh" | "revoke"> {
  const basic = { client_id: clientId, client_secret: clientSecret };

  /** Calls with Clew's credentials. `explain` turns a 400 or 401 into what it means for this call. */
  const call = async <T>(
    signal: AbortSignal,
    explain: (error: unknown, failure: ProviderError) => ProviderError,
    work: (oauth: Client["oauth"]) => Promise<T>,
  ): Promise<T> => {
    const send: Send = (url, init) => sendOnce(url, init, { ...network, signal });
    try {
      return await work(notionClient(apiUrl, send).oauth);
    } catch (error) {
      signal.throwIfAborted();
      const failure = toProviderError(error, network.clock());
      const isRejected = failure.code === "unauthorized" || failure.code === "invalid";
      throw isRejected ? explain(error, failure) : failure;
    }
  };

  return {
    authorizationUrl({ state, redirectUri }) {
      const url = new URL(`${consentUrl.href.replace(/\/$/, "")}/v1/oauth/authorize`);
      url.search = new URLSearchParams({
        client_id: clientId,
        response_type: "code",
        owner: "user",
        redirect_uri: redirectUri,
        state,
      }).toString();
      return url.href;
    },

    exchange: ({ code, redirectUri, signal }) =>
      call(signal, explainCode(redirectUri), async (oauth) => {
        const request = { grant_type: "authorization_code", code, redirect_uri: redirectUri } as const;
        const answer: unknown = await oauth.token({ ...request, ...basic });
        try {
          return grantOf(answer);
        } catch (error) {
          const token = textAt(answer, "access_token");
          // Best effort: report why the grant is unusable, not whether it could be revoked.
          if (token !== null) await oauth.revoke({ token, ...basic }).catch(() => {});
          throw error;
        }
      }),

    refresh: (refreshToken, signal) =>
      call(signal, explainGrant, async (oauth) => {
        const request = { grant_type: "refresh_token", refresh_token: refreshToken } as const;
        return renewedGrantOf(await oauth.token({ ...request, ...basic }), refreshToken);
      }),

    revoke: (accessToken, signal) =>
      call(signal, explainGrant, async (oauth) => {
        await oauth.revoke({ token: accessToken, ...basic });
      }),
  };
}

/** Names the setting that is wrong, if the answer says so. */
const explainCode = (redirectUri: string) => (error: unknown, failure: ProviderError) => {
  if (isAboutRedirectUri(error))
    return new ProviderError("refused", `The redirect URI ${redirectUri} is not registered at Notion`);
  // A wrong code is 400, so a 401 is about the credentials.
  return failure.code === "unauthorized" || isAboutCredentials(error)
    ? wrongCredentials()
    : new ProviderError("refused", failure.message);
};

/** Wrong credentials of Clew do not mean that the person withdrew the grant. */
function explainGrant(error: unknown, failure: ProviderError): ProviderError {
  return isAboutCredentials(error) ? wrongCredentials() : new ProviderError("unauthorized", failure.message);
}

const isAboutCredentials = (error: unknown) =>
  ["invalid_client", "unauthorized_client"].includes(oauthErrorOf(error) ?? "");

const wrongCredentials = () =>
  new ProviderError("refused", "NOTION_CLIENT_SECRET was not accepted for this NOTION_CLIENT_ID");
