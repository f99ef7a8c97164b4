import { closed, Problem, ref } from "@clew/contract";
import { Type } from "typebox";
import { requireSession } from "../../auth/gate.ts";
import { withLiveSession } from "../../auth/live-sessions.ts";
import { deleteAccount, type RemovalServices } from "../../connections/remove.ts";
import type { App } from "../../http/server.ts";

/** `DELETE /api/auth/me/`: deletes the caller's account and all its data, at once and permanently (SESS-9). */
export async function accountRoute(app: App, services: RemovalServices): Promise<void> {
  app.delete(
    "/me/",
    {
      config: { access: { kind: "session" }, securityEvent: "account_deleted" },
      schema: {
        summary: "Deletes the account: its sessions, service tokens, grants and graphs",
        querystring: closed({}),
        response: { 204: Type.Null(), default: ref(Problem) },
      },
    },
    async (request, reply) => {
      const caller = requireSession(request);
      const database = withLiveSession(services.database, caller, services.clock);
      await deleteAccount({ ...services, database }, caller.userId);
      return reply.code(204).send(null);
    },
  );
}
