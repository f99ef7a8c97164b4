import { residentBytes, tell, time } from "../graph/measure.ts";
import { cpuMs, exactCpuMs } from "./cpu.ts";
import { peers } from "./peers.ts";
import { queryKinds, seedOfTexts, someQueries } from "./queries.ts";
import { pageOf } from "./texts.ts";

// Builds the index of one peer and asks it the same questions as Clew.
const [path = "", size = "1000", name = ""] = process.argv.slice(2);
const pages = Number(size);
const peer = await peers[name]?.(path);
if (peer === undefined) throw new Error(`Unknown peer: ${name}`);
const send = (result: object) => process.send?.(result);

const empty = await residentBytes();
let textBytes = 0;
let buildMs = 0;
for (let page = 0; page < pages; page += 1) {
  const source = pageOf(seedOfTexts, page);
  textBytes += Buffer.byteLength(source.markdown) + Buffer.byteLength(source.title);
  const began = cpuMs();
  peer.add(page, source);
  buildMs += cpuMs() - began;
}
const began = cpuMs();
const fileBytes = peer.finish();
buildMs += cpuMs() - began;
send({ textBytes, buildMs, indexBytes: fileBytes ?? (await residentBytes()) - empty });
for (const kind of queryKinds) {
  const measured = someQueries(seedOfTexts, pages, kind, 1);
  const warmUp = someQueries(seedOfTexts, pages, kind, 2);
  const timing = await time({ measured, warmUp }, (query) => peer.search(query, 10), exactCpuMs);
  const found = measured.slice(0, 20).filter((query) => peer.search(query, 10) > 0).length / 20;
  send({ timings: { [kind]: timing }, found: { [kind]: found } });
}
tell({});
