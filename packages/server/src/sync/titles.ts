import { endListing, noteBeginning } from "../store/listings.ts";
import { awaitHastyTexts } from "../store/reading-list.ts";
import { crawl } from "./crawl.ts";
import { createFindings, type Findings } from "./findings.ts";
import { createIntake, type Intake } from "./intake.ts";
import { listAgain } from "./list-again.ts";
import { removeUnseen } from "./missing.ts";
import { recall } from "./recall.ts";
import type { Run } from "./run.ts";
import { settleGraph } from "./settle-graph.ts";

/**
 * The first phase (SYNC-2): finds pages and databases through search and by following what that names, and writes and
 * publishes titles, parents and relations, so that they can be searched within seconds. Nodes are written as they are
 * listed, and asked about only where they are new or changed (SYNC-3).
 */
export async function readTitles(run: Run): Promise<void> {
  const { catalog, connectionId, database } = run;
  run.progress.begin("titles", null);
  await recall(run);
  const findings = createFindings(catalog);
  const intake = createIntake(findings, run, (count) => run.progress.reach(count, null));
  await listAll(findings, intake, run);
  for (const id of catalog.databases.keys()) findings.list(id);
  await crawl(findings, intake, run);
  if (catalog.isSearchWhole) await removeUnseen(findings, intake, run);
  run.progress.reach(intake.taken.size, intake.taken.size);
  await settleGraph(run);
  await database.transaction(async (trx) => {
    // Once in a sync: what it has read before a restart is not read again after it (SYNC-6).
    if (await endListing(trx, connectionId)) await awaitHastyTexts(trx, connectionId);
  });
  await run.publisher.publish();
}

/** Takes in what search lists. */
async function listAll(findings: Findings, intake: Intake, run: Run): Promise<void> {
  const { catalog, connectionId, database, reader, report, signal } = run;
  let isBegun = false;
  const begin = async () => {
    if (!isBegun) await database.transaction((trx) => noteBeginning(trx, connectionId, reader.time()));
    isBegun = true;
  };
  const entries = listAgain(
    () => reader.search(signal),
    (error) => {
      catalog.isSearchWhole = false;
      report.unanswered(`The search broke off: ${error.message}`);
      run.log.warn({ err: error }, "the sync removes nothing: its search broke off");
    },
  );
  for await (const entry of entries) {
    await begin();
    if (entry.type === "unsupported") report.unsupported([entry.unsupported]);
    else if (entry.type === "cut") report.unanswered("search lists less than there is");
    else if (entry.type === "unreadable") {
      catalog.isSearchReadable = false;
      findings.lookUp(entry, "search");
    } else await intake.add({ node: entry, by: "search" });
  }
  await begin();
  await intake.flush();
  run.outage.answered();
}
