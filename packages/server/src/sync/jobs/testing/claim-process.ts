import { parseLocation } from "../../../model/database-location.ts";
import { openDatabase } from "../../../store/database.ts";
import { readyToGo } from "../../../store/testing/processes.ts";
import { claimJob } from "../lease.ts";

/**
 * A worker of the name and at the time of its second and third argument that claims every job it can, reports each, and
 * does nothing more until it is killed.
 */
const [url = "", worker = "", time = ""] = process.argv.slice(2);
const database = await openDatabase({ location: parseLocation(url) });
await readyToGo();
const search = {
  providers: ["some"],
  now: Number(time),
  except: [],
  hasRoomFor: () => true,
  maxOvertakingNodes: 0,
};
for (;;) {
  const job = await database.transaction((trx) => claimJob(trx, worker, search));
  if (job === null) break;
  process.send?.(job.connectionId);
}
