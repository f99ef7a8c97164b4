import type { FastifyReply } from "fastify";
import type { Redirect } from "../../auth/sign-in/redirect.ts";

/**
 * Milliseconds that the end of a sign-in waits for the provider: less than anything between here and the person does.
 */
export const providerPatience = 8_000;

/**
 * Answers 302. Neither the address nor where it came from is kept or passed on: both hold secrets (SIGN-3).
 */
export function redirect(reply: FastifyReply, { location, cookies }: Redirect): FastifyReply {
  return reply
    .headers({ "cache-control": "no-store", "referrer-policy": "no-referrer", "set-cookie": [...cookies] })
    .redirect(location, 302);
}
