/** A finished sign-in. */
export interface SignedIn {
  readonly access: string;
  readonly refresh: string;
}

/** A finished sign-in with everything that its browser saw on the way. */
export interface SignIn extends SignedIn {
  /** Clew's callback with its query, as the provider redirected to it. */
  readonly callback: URL;
  /** The `Set-Cookie` header that binds the sign-in to its browser. */
  readonly setCookie: string;
  /** The dashboard's address, without the fragment that carried the tokens. */
  readonly dashboard: string;
}

/**
 * Signs in as a browser does. `consent` takes the address of the provider's consent screen and returns the address that
 * the screen redirects to. Throws with the reason if the sign-in fails.
 */
export async function signIn(
  baseUrl: URL,
  consent: (authorizationUrl: string) => Promise<string>,
): Promise<SignIn> {
  const started = await fetch(new URL("api/integrations/auth/provider/", baseUrl), { redirect: "manual" });
  const [setCookie = ""] = started.headers.getSetCookie();
  const location = started.headers.get("location");
  if (location === null) throw new Error(`The sign-in failed with status ${started.status}.`);
  // A folder on this machine has no consent screen.
  const isOwn = location.startsWith(new URL("api/integrations/auth/", baseUrl).href);
  const callback = new URL(isOwn ? location : await consent(location));
  const cookie = setCookie.split(";")[0] ?? "";
  const finished = await fetch(callback, { redirect: "manual", headers: { cookie } });
  const [dashboard = "", fragment = ""] = (finished.headers.get("location") ?? "").split("#");
  const fields = new URLSearchParams(fragment);
  const access = fields.get("access_token");
  const refresh = fields.get("refresh_token");
  if (access === null || refresh === null) {
    throw new Error(`The sign-in failed: ${fields.get("error_description") ?? "no tokens were issued"}`);
  }
  return { access, refresh, callback, setCookie, dashboard };
}
