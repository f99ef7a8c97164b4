import { type Provider, ProviderError } from "../port.ts";
import { notionClient } from "./client.ts";
import { failureOf, isAboutRedirectUri, oauthErrorOf } from "./failure.ts";
import { grantOf, renewedGrantOf } from "./grant.ts";
import { exchange as exchangeOnce } from "./http/answer.ts";
import type { Network } from "./http/patient-fetch.ts";
import { textAt } from "./json.ts";

/** How Clew is known to the provider. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Signing in through the provider, and renewing what it granted. Nothing is sent twice: a code and a refresh token work
 * once. Where the answer to a renewal is lost, the provider may have replaced the pair all the same; asking again is
 * then for the caller, who may have stored a newer pair meanwhile.
 * https://developers.notion.com/docs/authorization
 */
export function createOAuth(
  apiUrl: URL,
  { clientId, clientSecret, consentUrl = apiUrl }: Credentials & { readonly consentUrl?: URL },
  network: Network,
): Pick<Provider, "authorizationUrl" | "exchange" | "refresh" | "revoke"> {
  const clientFor = (signal: AbortSignal) =>
    notionClient(apiUrl, (request) => exchangeOnce(request, { ...network, signal }));
  const basic = { client_id: clientId, client_secret: clientSecret };

  /** Calls with Clew's own credentials, of which 401 says that they, or what they present, are not accepted. */
  const call = async <T>(
    signal: AbortSignal,
    work: () => Promise<T>,
    refusal: (error: unknown, failure: ProviderError) => ProviderError,
  ): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const failure = failureOf(error, network.clock());
      throw isRefusal(failure) ? refusal(error, failure) : failure;
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
      call(
        signal,
        async () => {
          const { oauth } = clientFor(signal);
          const answer: unknown = await oauth.token({
            grant_type: "authorization_code",
            code,
            redirect_uri: redirectUri,
            ...basic,
          });
          try {
            return grantOf(answer);
          } catch (unusable) {
            const token = textAt(answer, "access_token");
            // What went wrong counts, not whether a grant that nobody will use could be given back.
            if (token !== null) await oauth.revoke({ token, ...basic }).catch(() => {});
            throw unusable;
          }
        },
        aboutTheCode(redirectUri),
      ),

    refresh: (refreshToken, signal) =>
      call(
        signal,
        async () => {
          const { oauth } = clientFor(signal);
          const request = { grant_type: "refresh_token", refresh_token: refreshToken } as const;
          return renewedGrantOf(await oauth.token({ ...request, ...basic }), refreshToken);
        },
        aboutTheGrant,
      ),

    revoke: (accessToken, signal) =>
      call(
        signal,
        async () => {
          await clientFor(signal).oauth.revoke({ token: accessToken, ...basic });
        },
        aboutTheGrant,
      ),
  };
}

function isRefusal({ code }: ProviderError): boolean {
  return code === "unauthorized" || code === "invalid";
}

/** Names the setting that is wrong where the answer tells, so that the operator need not guess. */
const aboutTheCode = (redirectUri: string) => (error: unknown, failure: ProviderError) => {
  if (isAboutRedirectUri(error))
    return new ProviderError("refused", `The redirect URI ${redirectUri} is not registered at Notion`);
  // A code that is wrong is 400.
  return failure.code === "unauthorized" || isAboutClew(error)
    ? credentialsRefused()
    : new ProviderError("refused", failure.message);
};

/** Credentials of Clew's own that are wrong say nothing of a grant: its owner could do nothing about it. */
function aboutTheGrant(error: unknown, failure: ProviderError): ProviderError {
  return isAboutClew(error) ? credentialsRefused() : new ProviderError("unauthorized", failure.message);
}

const isAboutClew = (error: unknown) =>
  ["invalid_client", "unauthorized_client"].includes(oauthErrorOf(error) ?? "");

const credentialsRefused = () =>
  new ProviderError("refused", "NOTION_CLIENT_SECRET was not accepted for this NOTION_CLIENT_ID");
