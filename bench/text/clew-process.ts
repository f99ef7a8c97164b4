import { residentBytes, tell, time } from "../graph/measure.ts";
import { ClewIndex } from "./clew-index.ts";
import { queryKinds, seedOfTexts, someQueries } from "./queries.ts";

// Builds Clew's text index of one workspace and measures it.
const [path = "", size = "1000"] = process.argv.slice(2);
const pages = Number(size);
const maxEntries = Number(process.env.MAX_ENTRIES ?? 100_000);
const send = (result: object) => process.send?.(result);

const index = new ClewIndex(path);
await index.build(seedOfTexts, pages);
const { textBytes, buildMs, mergeMs, segmentCount } = index;
const memoryBytes = await residentBytes();
send({ textBytes, buildMs, mergeMs, segments: segmentCount, memoryBytes, indexBytes: index.store.compact() });
for (const kind of queryKinds) {
  const measured = someQueries(seedOfTexts, pages, kind, 1);
  const warmUp = someQueries(seedOfTexts, pages, kind, 2);
  const timing = await time({ measured, warmUp }, (query) => index.search(query, 10, maxEntries));
  let found = 0;
  let truncated = 0;
  for (const query of measured.slice(0, 20)) {
    const result = await index.search(query, 10, maxEntries);
    found += Number(result.pages.length > 0) / 20;
    truncated += Number(result.truncated) / 20;
  }
  send({ timings: { [kind]: timing }, found: { [kind]: found }, truncated: { [kind]: truncated } });
}
index.store.close();
tell({});
