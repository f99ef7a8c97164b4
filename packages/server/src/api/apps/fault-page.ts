import type { FastifyReply } from "fastify";

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? "");

/** Tells a person why a program cannot be connected. The page links and redirects nowhere (APP-4). */
export function sendFaultPage(reply: FastifyReply, status: number, message: string): FastifyReply {
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Not connected · Clew</title>
<h1>The program was not connected</h1>
<p>${escaped(message)}</p>
<p>You can close this page. Nothing was changed.</p>
</html>
`;
  return reply
    .code(status)
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    })
    .send(page);
}
