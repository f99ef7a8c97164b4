import type { FastifyReply } from "fastify";
import { codeMinutes } from "../../auth/sign-in/code.ts";
import type { Config } from "../../config/config.ts";

interface CodeForm {
  /** The state of the sign-in, of characters that need no escaping. */
  readonly state: string;
  /** Whether a code was just refused. */
  readonly again: boolean;
}

/** Answers with the page of Clew's own that takes the place of Notion's consent (SIGN-12). */
export function sendCodePage(
  reply: FastifyReply,
  { publicUrl, dashboardUrl }: Pick<Config, "publicUrl" | "dashboardUrl">,
  form: CodeForm,
): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    // Browsers apply it to the whole way that the form leads.
    `form-action 'self' ${dashboardUrl.origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return reply
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy.join("; "),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    })
    .send(codePage(publicUrl.pathname.replace(/\/$/, ""), form));
}

function codePage(basePath: string, { state, again }: CodeForm): string {
  const trouble = again
    ? '<p class="notice" role="alert">That code is wrong, was used already, or has expired.</p>'
    : "";
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Sign in to Clew</title>
  <link rel="stylesheet" href="${basePath}/dashboard/style.css">
  <link rel="icon" href="${basePath}/dashboard/clew.svg">
</head>
<body>
  <main>
    <section class="card hero">
      <h1>Enter the sign-in code</h1>
      ${trouble}
      <p>This Clew reads one Notion workspace, with a token that its operator set. Whoever enters the code is signed in as
        the owner of that token.</p>
      <p>Clew printed a code in its terminal when it started. <code>clew sign-in-code</code> prints another one, on the
        machine that Clew runs on. A code is good for ${codeMinutes} minutes, once.</p>
      <form class="sign-in-code" method="post" action="${basePath}/api/integrations/auth/provider/code">
        <input type="hidden" name="state" value="${state}">
        <p><label>Code <input name="code" required autocomplete="one-time-code" autofocus spellcheck="false"></label></p>
        <p><button class="primary">Sign in</button></p>
      </form>
    </section>
  </main>
</body>
</html>
`;
}
