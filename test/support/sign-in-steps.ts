import assert from "node:assert/strict";
import { type ConsentChoice, giveConsent } from "@clew/stand-in/testing";

/** A sign-in with all that its browser saw on the way. */
export interface WitnessedSignIn {
  readonly access: string;
  readonly refresh: string;
  /** The callback with its query, as the provider leads to it. */
  readonly callback: URL;
  readonly state: string;
  readonly code: string;
  /** The `Set-Cookie` header that binds the sign-in to its browser. */
  readonly setCookie: string;
  /** Where it ended, without the fragment. */
  readonly dashboard: string;
}

/** Signs in at the stand-in step by step, beginning at the Clew at `base`. */
export async function signInStepByStep(base: URL, choice?: ConsentChoice): Promise<WitnessedSignIn> {
  const begun = await fetch(new URL("api/integrations/auth/provider/", base), { redirect: "manual" });
  const [setCookie = ""] = begun.headers.getSetCookie();
  const callback = new URL(await giveConsent(begun.headers.get("location") ?? "", choice));
  const finished = await fetch(callback, {
    redirect: "manual",
    headers: { cookie: setCookie.split(";")[0] ?? "" },
  });
  const [dashboard = "", fragment = ""] = (finished.headers.get("location") ?? "").split("#");
  const handedOver = Object.fromEntries(new URLSearchParams(fragment));
  const asked = Object.fromEntries(callback.searchParams);
  const { access_token: access, refresh_token: refresh } = handedOver;
  const { state, code } = asked;
  assert(access && refresh && state && code, `the sign-in failed: ${handedOver.error_description}`);
  return { access, refresh, callback, state, code, setCookie, dashboard };
}
