import { sessionHint, sessionHintCookie, sessionHintLifetime } from "@clew/contract";
import type { Config } from "../../config/config.ts";
import type { OpenedSession } from "../sessions.ts";
import { setCookie } from "./cookies.ts";
import { dashboardUrlWith } from "./dashboard-url.ts";
import type { Redirect } from "./redirect.ts";

/**
 * Sends the browser to the dashboard with its tokens, and with the hint by which the page knows them
 * (SIGN-3).
 */
export async function redirectWithTokens(
  { publicUrl, dashboardUrl }: Pick<Config, "publicUrl" | "dashboardUrl">,
  session: OpenedSession,
): Promise<Redirect> {
  const https = publicUrl.protocol === "https:";
  const location = dashboardUrlWith(dashboardUrl, {
    access_token: session.access,
    refresh_token: session.refresh,
    token_type: "Bearer",
    expires_in: String(session.expiresIn),
  });
  const value = await sessionHint(session.sessionId);
  const hint = setCookie({
    name: sessionHintCookie(value, https),
    value,
    maxAge: sessionHintLifetime,
    sameSite: "Strict",
    httpOnly: false,
    secure: https,
  });
  return { location, cookies: [hint] };
}
