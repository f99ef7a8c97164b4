import { createBrowser } from "./browser.ts";
import { allow, type Consent } from "./consent-form.ts";

/** The session's tokens, as the dashboard receives them. */
export interface SignedIn {
  readonly access: string;
  readonly refresh: string;
}

/** Signs in at the stand-in as a person with a browser would: opens the consent screen and presses Allow. */
export async function signIn(clew: URL, consent: Consent = {}): Promise<SignedIn> {
  const browser = createBrowser();
  const screen = await browser.open(new URL("api/integrations/auth/provider/", clew));
  const arrived = screen.url.hash === "" ? await allow(browser, screen, consent) : screen;
  const fields = new URLSearchParams(arrived.url.hash.slice(1));
  const access = fields.get("access_token");
  const refresh = fields.get("refresh_token");
  if (access !== null && refresh !== null) return { access, refresh };
  throw new Error(`The sign-in failed: ${fields.get("error_description") ?? "no tokens in the fragment"}`);
}
