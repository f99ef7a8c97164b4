import { OAuthError, ref } from "@clew/contract";
import type { App } from "../../http/server.ts";

/**
 * `POST /register` where no apps may connect (OAUTH_CLIENTS=off): MCP clients try to register here when their token is refused and
 * they find no OAuth server. They show people the description of the error, which is its only purpose (RFC 7591, section 3.2.2;
 * AGT-5).
 */
export async function refusedRegistrationRoute(app: App): Promise<void> {
  app.post(
    "/register",
    {
      config: { access: { kind: "open" } },
      schema: { hide: true, response: { 400: ref(OAuthError) } },
      // The response does not depend on the body, so the body is not read.
      onRequest: async (_request, reply) =>
        reply.code(400).send({
          error: "invalid_client_metadata" as const,
          error_description:
            "This Clew connects no apps by URL; it accepts service tokens. Create one in the dashboard and send it as " +
            "`Authorization: Bearer svc_…`. If one was sent, it is wrong, expired or revoked.",
        }),
    },
    async () => {},
  );
}
