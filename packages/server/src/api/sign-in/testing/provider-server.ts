import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** Handles a request for a token. */
type Respond = (response: ServerResponse) => void | Promise<void>;

/** The OAuth endpoints of a provider over real HTTP, whose behaviour a test controls. */
export interface ProviderServer {
  readonly apiUrl: URL;
  /** The token endpoint's response; by default a grant to a person. */
  respond: Respond;
  /** The revocation endpoint's response. */
  respondToRevocation: Respond;
  /** The response to a request for the token's own user. */
  respondToOwner: Respond;
  /** The tokens of those requests. */
  readonly askedAs: (string | undefined)[];
  /** The requests for a token, with their bodies as JSON. */
  readonly exchanges: { readonly authorization: string | undefined; readonly body: unknown }[];
  /** The access tokens that were revoked. */
  readonly revoked: string[];
  close(): Promise<void>;
}

export const workspaceId = "0b1f2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
export const personId = "5c6d7e8f-9a0b-4c1d-8e2f-3a4b5c6d7e8f";

/** The token endpoint's response after a person's consent. */
export const grant = {
  access_token: "ntn_access",
  token_type: "bearer",
  refresh_token: "nrt_refresh",
  bot_id: "b3d5c7e9-0a1b-4c2d-8e3f-4a5b6c7d8e9f",
  workspace_id: workspaceId,
  workspace_name: "The Labyrinth",
  workspace_icon: "🧶",
  duplicated_template_id: null,
  owner: {
    type: "user",
    user: {
      object: "user",
      id: personId,
      name: "A reader",
      avatar_url: "https://images.example/reader.png",
      type: "person",
      person: { email: "reader@example.com" },
    },
  },
};

/** The user of a personal access token. */
export const personalToken = {
  object: "user",
  id: grant.bot_id,
  name: "Clew's token",
  avatar_url: null,
  type: "bot",
  bot: { owner: grant.owner, workspace_id: workspaceId, workspace_name: "The Labyrinth" },
};

/** The user of an internal connection's token. */
export const internalToken = {
  ...personalToken,
  bot: { ...personalToken.bot, owner: { type: "workspace", workspace: true } },
};

/** Responds with JSON. */
export const json =
  (body: unknown, status = 200): Respond =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };

/** Responds with another media type. */
export const text =
  (body: string, contentType: string, status = 200): Respond =>
  (response) => {
    response.writeHead(status, { "content-type": contentType }).end(body);
  };

export async function serveProvider(t: TestContext): Promise<ProviderServer> {
  const provider: Omit<ProviderServer, "apiUrl" | "close"> = {
    respond: json(grant),
    respondToRevocation: json({}),
    respondToOwner: json(personalToken),
    askedAs: [],
    exchanges: [],
    revoked: [],
  };
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await readText(request)) || "null");
    if (request.url === "/v1/oauth/token") {
      provider.exchanges.push({ authorization: request.headers.authorization, body });
      await provider.respond(response);
    } else if (request.url === "/v1/oauth/revoke") {
      provider.revoked.push(body.token);
      await provider.respondToRevocation(response);
    } else if (request.url === "/v1/users/me") {
      provider.askedAs.push(request.headers.authorization);
      await provider.respondToOwner(response);
    } else {
      response.writeHead(404).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  t.after(close);
  return Object.assign(provider, { apiUrl: new URL(`http://127.0.0.1:${port}`), close });
}

async function readText(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  return body;
}
