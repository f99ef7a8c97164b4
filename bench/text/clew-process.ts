import { join } from "node:path";
import { residentBytes, tell, time } from "../graph/measure.ts";
import { buildClewIndex, ClewIndex, compactIndex } from "./clew-index.ts";
import { exactCpuMs } from "./cpu.ts";
import { queryKinds, seedOfTexts, someQueries } from "./queries.ts";

// Builds Clew's text index of one workspace in a folder, or only measures the one that is there.
const [folder = "", task = "", size = "1000"] = process.argv.slice(2);
const pages = Number(size);
const location = { kind: "sqlite", path: join(folder, "clew.db") } as const;
const maxEntries = Number(process.env.MAX_ENTRIES ?? 48_000);
const send = (result: object) => (process.send ? process.send(result) : console.log(result));

if (task === "build") {
  send({ ...(await buildClewIndex(location, seedOfTexts, pages)), indexBytes: await compactIndex(folder) });
} else {
  const index = await ClewIndex.open(location, pages);
  if (index === null) throw new Error(`there is no index in ${folder}`);
  send({ segments: index.segmentCount });
  for (const kind of queryKinds) {
    const measured = someQueries(seedOfTexts, pages, kind, 1);
    const warmUp = someQueries(seedOfTexts, pages, kind, 2);
    const search = (query: string) => index.search(query, 10, maxEntries);
    const timing = await time({ measured, warmUp }, search, exactCpuMs);
    let found = 0;
    let truncated = 0;
    for (const query of measured.slice(0, 100)) {
      const result = await search(query);
      found += Number(result.pages.length > 0) / 100;
      truncated += Number(result.truncated) / 100;
    }
    send({ timings: { [kind]: timing }, found: { [kind]: found }, truncated: { [kind]: truncated } });
  }
  send({ memoryBytes: await residentBytes() });
  await index.close();
}
tell({});
