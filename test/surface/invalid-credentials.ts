import { bearer, type Surface, withJson } from "./surface.ts";

const dayMs = 86_400_000;

/** `Authorization` headers that are no credentials of Clew's, by description. */
export const malformedCredentials: Readonly<Record<string, string>> = {
  "no token": "Bearer",
  "another word": "Bearer svc_",
  "a made-up service token": `Bearer svc_${"a".repeat(32)}`,
  "a service token that is too long": `Bearer svc_${"a".repeat(33)}`,
  "a made-up JWT": "Bearer eyJhbGciOiJub25lIn0.e30.",
  "two tokens": `Bearer svc_${"a".repeat(32)} svc_${"b".repeat(32)}`,
};

/** `Authorization` headers with expired, revoked and malformed credentials, by description. Advances the clock by a day. */
export async function collectInvalidCredentials(surface: Surface): Promise<ReadonlyMap<string, string>> {
  const passing = await surface.signIn();
  const expired = await surface.createToken(passing, { days: 1 });
  surface.advance(dayMs);
  const ended = await surface.signIn();
  const revoked = await surface.createToken(ended);
  const revoke = { method: "DELETE", path: `/api/tokens/${revoked.id}/`, headers: bearer(ended.access) };
  const logout = withJson({ refresh: ended.refresh }, ended.access);
  await surface.send(revoke);
  await surface.send({ method: "POST", path: "/api/auth/logout/", ...logout });
  return new Map([
    ["an expired service token", `Bearer ${expired.token}`],
    ["a revoked service token", `Bearer ${revoked.token}`],
    ["an expired access token", `Bearer ${passing.access}`],
    ["an access token of an ended session", `Bearer ${ended.access}`],
    ["a refresh token", `Bearer ${passing.refresh}`],
    ...Object.entries(malformedCredentials),
  ]);
}
