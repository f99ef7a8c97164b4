import type { FastifyInstance, FastifyReply } from "fastify";
import type { Workspace } from "../workspace/workspace.ts";
import {
  type AuthorizationRequest,
  answerTo,
  type Client,
  createRequestSeal,
  readAuthorizationRequest,
  UntrustedRequest,
} from "./authorization-request.ts";
import type { Codes } from "./codes.ts";
import { consentPage, faultPage, listedPages, theRest } from "./consent-page.ts";
import { consentStyle } from "./consent-style.ts";

/** What the consent screen needs. */
export interface ConsentParts {
  readonly client: Client;
  /** What the screen calls the client. */
  readonly clientName: string;
  /** Origins that a redirect address itself leads on to: browsers apply a form's policy to the whole way. */
  readonly onwardOrigins: readonly string[];
  readonly codes: Codes;
  readonly sealKey: Uint8Array;
  readonly clock: () => number;
  workspace(): Workspace;
}

/** The consent screen: a person chooses who they are and what they share, and goes back with a code. */
export async function consentRoutes(app: FastifyInstance, parts: ConsentParts): Promise<void> {
  const seal = createRequestSeal(parts.sealKey, parts.clock);
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: unknown, body: string | Buffer) => new URLSearchParams(body.toString()),
  );

  app.get("/v1/oauth/consent.css", async (_request, reply) =>
    reply
      .headers({ "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" })
      .send(consentStyle),
  );

  app.get("/v1/oauth/authorize", async (request, reply) => {
    try {
      const asked = readAuthorizationRequest(request.query, parts.client);
      if (asked.error !== null) return goBack(reply, asked.request, { error: asked.error });
      const page = consentPage(parts.workspace(), parts.clientName, seal.seal(asked.request));
      return sendPage(reply, 200, page, [new URL(asked.request.redirectUri).origin, ...parts.onwardOrigins]);
    } catch (error) {
      if (error instanceof UntrustedRequest) return sendPage(reply, 400, faultPage(error.message), []);
      throw error;
    }
  });

  app.post("/v1/oauth/authorize", async (request, reply) => {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const asked = seal.open(form.get("request") ?? "");
    if (asked === null)
      return sendPage(reply, 400, faultPage("The form is too old, or was not made here."), []);
    if (form.get("decision") !== "allow") return goBack(reply, asked, { error: "access_denied" });
    const workspace = parts.workspace();
    const person = workspace.people.find(({ id }) => id === form.get("person"));
    if (person === undefined) return sendPage(reply, 400, faultPage("Nobody was chosen."), []);
    const sharedIds = chosenIds(workspace, form.getAll(`pages:${person.id}`));
    const code = parts.codes.issue({ personId: person.id, sharedIds, redirectUri: asked.redirectUri });
    return goBack(reply, asked, { code });
  });
}

function chosenIds(workspace: Workspace, chosen: readonly string[]): string[] {
  const { listed, rest } = listedPages(workspace);
  const pages = listed.filter(({ id }) => chosen.includes(id));
  return [...pages, ...(chosen.includes(theRest) ? rest : [])].map(({ id }) => id);
}

function goBack(
  reply: FastifyReply,
  request: AuthorizationRequest,
  answer: { code: string } | { error: string },
) {
  return reply.header("cache-control", "no-store").redirect(answerTo(request, answer), 303);
}

function sendPage(reply: FastifyReply, status: number, page: string, formTargets: readonly string[]) {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src data:",
    `form-action ${["'self'", ...formTargets].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return reply
    .code(status)
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy.join("; "),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    })
    .send(page);
}
