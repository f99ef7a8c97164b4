import { folderOwner, folderPeople } from "@clew/folder/people";
import { demoSlug } from "../model/folders.ts";
import type { Log } from "../model/log.ts";
import type { Clock } from "../model/runtime.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database, WriteTransaction } from "../store/port.ts";
import {
  type AdoptableConnection,
  adoptConnection,
  connectionsOfSource,
  renameUser,
} from "../store/queries/adoption.ts";
import { insertAudit } from "../store/queries/audit.ts";
import { setNeedsReauth } from "../store/queries/connections.ts";
import { requeueAllTexts } from "../store/queries/reading-list.ts";
import { findUserOfProvider } from "../store/queries/users.ts";
import { sealTokens } from "./grant.ts";
import { requestJob } from "./request-sync.ts";

/** A folder that earlier versions served as the demo workspace. */
interface KnownFolder {
  readonly slug: string;
  /** The id of its workspace. */
  readonly workspaceId: string;
  /** The name that a connection stores in place of an access token. */
  readonly grant: string;
}

interface AdoptionServices {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
  /** Reads the folders. Called only if there is a connection to adopt. */
  readonly folders: () => Promise<readonly KnownFolder[]>;
  /** Reads the ids of the grants with which everything was shared. */
  readonly wholeGrants: () => Promise<ReadonlySet<string>>;
}

/**
 * Lets accounts go on that earlier versions had for a folder, which they served as the demo workspace (SRC-2). The account that had
 * shared all of it becomes that of its person: ids, connections and tokens stay. Of several that is the oldest account. All other connections to it
 * need a new sign-in, because it would show them more than was shared.
 */
export async function adoptFolders({
  database,
  secrets,
  clock,
  log,
  folders,
  wholeGrants,
}: AdoptionServices): Promise<void> {
  const isLeft = ({ status }: AdoptableConnection) => status === "active";
  if (!(await connectionsOfSource(database.read, demoSlug)).some(isLeft)) return;
  const [known, whole] = await Promise.all([folders(), wholeGrants()]);
  for (const folder of known) {
    const outcome = await database.transaction(async (trx) => {
      const left = (await connectionsOfSource(trx, demoSlug)).filter(
        (each) => isLeft(each) && each.workspaceId === folder.workspaceId,
      );
      const could = left.filter(({ grantId }) => whole.has(grantId));
      const current = await findUserOfProvider(trx, folderPeople, folderOwner.id);
      const [chosen] = could.filter(({ userId }) => current === null || userId === current);
      if (chosen !== undefined) await adopt(trx, { secrets, clock }, folder, chosen);
      const others = left.filter((each) => each !== chosen);
      for (const { id } of others) await setNeedsReauth(trx, id, clock());
      return { chosen, could: could.length, others: others.length };
    });
    const { chosen, could, others } = outcome;
    if (chosen !== undefined)
      log.info(
        { connectionId: chosen.id, source: folder.slug, accounts: could },
        could > 1
          ? "the oldest of several accounts that had shared all of a folder is now its person's"
          : "an account of the demo workspace is now that of its folder's person",
      );
    if (others > 0)
      log.warn(
        { source: folder.slug, connections: others },
        "connections of the demo workspace do not go on with the folder, of which they had shared a part or which has a person already",
      );
  }
}

async function adopt(
  trx: WriteTransaction,
  { secrets, clock }: Pick<AdoptionServices, "secrets" | "clock">,
  { slug, grant }: KnownFolder,
  { id, userId, workspaceId }: AdoptableConnection,
): Promise<void> {
  const now = clock();
  await renameUser(trx, userId, { provider: folderPeople, providerUserId: folderOwner.id });
  const tokens = sealTokens(secrets, { userId, workspaceId }, { accessToken: grant, refreshToken: null });
  await adoptConnection(trx, id, { provider: slug, grantId: grant, ...tokens });
  // Texts have other addresses of pages than in the demo workspace.
  await requeueAllTexts(trx, id);
  await requestJob(trx, id, { by: "schedule", full: true }, now);
  await insertAudit(trx, [{ userId, at: now, event: "workspace_connected", workspaceId, reason: "folder" }]);
}
