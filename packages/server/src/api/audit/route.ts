import { AuditQuery, AuditTrail, auditLimits, ref } from "@clew/contract";
import { requireSession } from "../../auth/gate.ts";
import type { RefusedUse } from "../../auth/token-use.ts";
import type { App } from "../../http/server.ts";
import { createCursorFactory } from "../../operations/cursors.ts";
import { presentAuditLine } from "../../present/session.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Database } from "../../store/port.ts";
import { listAudit } from "../../store/queries/audit.ts";
import { readListPage } from "../list-page.ts";
import { sessionRoute } from "../session-route.ts";

interface AuditRouteServices {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly refusedUse: Pick<RefusedUse, "flush">;
}

/** `GET /api/audit/`: the audit trail of the caller's sessions and service tokens (TOK-12). */
export async function auditRoute(
  app: App,
  { database, secrets, refusedUse }: AuditRouteServices,
): Promise<void> {
  const cursorsFor = createCursorFactory(secrets);
  app.get(
    "/",
    sessionRoute({
      querystring: AuditQuery,
      response: { 200: ref(AuditTrail) },
    }),
    async (request, reply) => {
      const { userId } = requireSession(request);
      const { token_id: tokenId, limit = auditLimits.page.standard, cursor } = request.query;
      // Writes the latest refusals first. A failure is logged by the next background write.
      await refusedUse.flush().catch(() => {});
      const { items, next_cursor } = await readListPage(request, reply, {
        cursors: cursorsFor<number>({ list: "audit", version: 1, parameters: [userId, tokenId ?? null] }),
        cursor,
        limit,
        read: (beforeId, count) => listAudit(database.read, userId, { tokenId, beforeId, limit: count }),
        positionOf: ({ id }) => id,
      });
      return { items: items.map(presentAuditLine), next_cursor };
    },
  );
}
