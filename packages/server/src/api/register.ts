import { RegistrationError, ref } from "@clew/contract";
import type { App } from "../http/server.ts";

/**
 * `POST /register`: where agents' clients register once their token is refused and they find no OAuth server. They show
 * people the answer's description, and that is all that it is for (RFC 7591, section 3.2.2).
 */
export async function registerRoute(app: App): Promise<void> {
  app.post(
    "/register",
    {
      config: { access: { kind: "open" } },
      schema: { hide: true, response: { 400: ref(RegistrationError) } },
      // Before the body is read: whatever it says, the answer is the same.
      onRequest: async (_request, reply) =>
        reply.code(400).send({
          error: "invalid_client_metadata",
          error_description:
            "Clew has no OAuth for agents: it takes service tokens. Make one in the dashboard and send it as " +
            "`Authorization: Bearer svc_…`. If one was sent, it is wrong, expired or revoked.",
        }),
    },
    async () => {},
  );
}
