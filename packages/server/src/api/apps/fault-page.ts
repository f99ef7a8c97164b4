import type { FastifyReply } from "fastify";
import type { Config } from "../../config/config.ts";
import { readPage } from "../dashboard.ts";

/** Tells a person why a program cannot be connected. */
export type SendFaultPage = (reply: FastifyReply, status: number, message: string) => FastifyReply;

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? "");

/** No script, and no way to another page (APP-4). */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Reads the page that is built with the dashboard. */
export async function readFaultPage(config: Pick<Config, "publicUrl">): Promise<SendFaultPage> {
  const page = await readPage(config, "not-connected.html");
  return (reply, status, message) =>
    reply
      .code(status)
      .headers({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
      })
      .send(page.replace("{message}", () => escaped(message)));
}
