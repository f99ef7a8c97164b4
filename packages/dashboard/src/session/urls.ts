import type { connectParameter } from "@clew/contract";

/** The URL of the dashboard; the server sets it as `<base>`. */
export const dashboardUrl = new URL(document.baseURI);

/** Clew's public URL. */
export const clewUrl = new URL("../", dashboardUrl);

/** The URL of the documentation that Clew serves. */
export const docsUrl = new URL("docs/", clewUrl).href;

/** The URL of the tools for agents, with which programs connect (APP-1). */
export const mcpUrl = new URL("api/v1/mcp", clewUrl).href;

/** The URL at which a sign-in begins. A person who is already signed in can share more there. */
export const signInUrl = new URL("api/integrations/auth/provider/", clewUrl).href;

/** The parameter with the id of an app's request, of the view about it and of a sign-in that leads back there. */
const requestParameter: typeof connectParameter = "request";

/** The id of the app's request that an address of the dashboard is about; null at all other addresses. */
export function appRequestAt({ pathname, searchParams }: URL): string | null {
  const view = new URL("connect", dashboardUrl).pathname;
  return pathname.replace(/\/$/, "") === view ? searchParams.get(requestParameter) : null;
}

/** The URL at which a sign-in at a source begins. It leads back to an app's request unless that is null. */
export function signInUrlFor(provider: string, request: string | null): string {
  const url = new URL(`../${provider}/`, signInUrl);
  if (request !== null) url.searchParams.set(requestParameter, request);
  return url.href;
}

/** Tells the name of the provider, for the button that leads to it. */
export const signInStatusUrl = new URL("status", signInUrl).href;
