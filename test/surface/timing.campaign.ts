import { randomBytes } from "node:crypto";
import { folders } from "./shared-folders.ts";
import { get, openSurface } from "./surface.ts";
import { look } from "./view.ts";

/**
 * Compares how long Clew takes to answer for another person's pages and for pages that do not exist:
 * `PAIRS=2000 MICROSECONDS=100 npm run campaign timing`. Requests come in pairs; the two sides take turns at being first. A
 * difference counts if the confidence interval of the median difference does not contain 0. All intervals together have a
 * confidence of 99.9 %: one run in a thousand is a false alarm.
 *
 * Two controls show the power of a run. Both compare pages that do not exist. In one, MICROSECONDS of work are added to one side:
 * if that difference is not seen, the run fails. In the other nothing is added: a difference there fails the run too.
 */
const pairs = Number(process.env.PAIRS ?? 2000);
const effect = Number(process.env.MICROSECONDS ?? 100);

const surface = await openSurface();

/** Two sides with a path each, and the work in microseconds that is done on the second. */
interface Comparison {
  readonly name: string;
  readonly sides: readonly [(turn: number) => string, (turn: number) => string];
  readonly work: number;
}

/** The median of differences, with its interval, in microseconds. */
interface Estimate {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Standard errors of the sign test for 99.9 % over some 20 comparisons (two-sided, after Bonferroni). */
const errors = 4.1;

/** The interval of the median by the sign test: it assumes nothing about how times are distributed. */
function estimate(differences: readonly number[]): Estimate {
  const sorted = [...differences].sort((left, right) => left - right);
  const at = (index: number) => (sorted[Math.round(index)] ?? Number.NaN) * 1000;
  const middle = (sorted.length - 1) / 2;
  const half = (errors * Math.sqrt(sorted.length)) / 2;
  return { median: at(middle), low: at(middle - half), high: at(middle + half) };
}

const isSeen = ({ low, high }: Estimate) => low > 0 || high < 0;

function spin(microseconds: number): void {
  const end = performance.now() + microseconds / 1000;
  while (performance.now() < end);
}

async function measure(token: string, { sides, work }: Comparison): Promise<Estimate> {
  const time = async (side: 0 | 1, turn: number) => {
    const path = sides[side](turn);
    const begun = performance.now();
    if (side === 1) spin(work);
    await get(surface.send, `/api/v1${path}`, token);
    return performance.now() - begun;
  };
  const differences: number[] = [];
  // The first hundred warm up.
  for (let turn = -100; turn < pairs; turn += 1) {
    const first = turn % 2 === 0 ? 0 : 1;
    const one = await time(first, turn);
    const other = await time(first === 0 ? 1 : 0, turn);
    if (turn >= 0) differences.push(first === 0 ? other - one : one - other);
  }
  return estimate(differences);
}

const requests: Readonly<Record<string, (id: string, own: string) => string>> = {
  node: (id) => `/nodes/${id}/`,
  content: (id) => `/nodes/${id}/content/`,
  rows: (id) => `/nodes/${id}/rows/`,
  neighbors: (id) => `/nodes/${id}/neighbors/`,
  related: (id) => `/nodes/${id}/related/`,
  nodes: (id) => `/nodes/?ids=${id}`,
  edges: (id, own) => `/edges/?ids=${own},${id}`,
  paths: (id, own) => `/paths/?from=${own}&to=${id}`,
  tree: (id) => `/tree/?under=${id}`,
  search: (id) => `/search/?under=${id}`,
  text: (id) => `/text/?q=the&under=${id}`,
  resolve: (id) => `/resolve/?page=${id}`,
  context: (id) => `/context/?id=${id}`,
};

let faults = 0;
try {
  const self = await surface.signIn({ person: "Librarian", pages: [folders.east, folders.hall] });
  const other = await surface.signIn({ person: "Visitor", pages: [folders.west] });
  const { token } = await surface.createToken(self);
  const theirs = await look(surface.send, { base: "/api/provider-graph", token: other.access }, [
    folders.west,
  ]);
  const foreign = [...theirs.ids.values()];
  // The same form, so that nothing but the existence differs: an id is read by its digits.
  const similar = (id: string) => id.slice(0, -12) + randomBytes(6).toString("hex");
  const unknown = foreign.map(similar);
  const others = foreign.map(similar);
  const own = await surface.idOf(self, "Catalogue");
  const pick = (ids: readonly string[], request: (id: string, own: string) => string) => (turn: number) =>
    request(ids[Math.abs(turn >> 1) % ids.length] ?? "", own);
  const controlled = (work: number): Comparison => ({
    name: work === 0 ? "control: nothing" : `control: ${work} µs`,
    sides: [pick(unknown, (id) => `/nodes/${id}/`), pick(others, (id) => `/nodes/${id}/`)],
    work,
  });
  const controls = [controlled(0), controlled(effect)];
  const comparisons = Object.entries(requests).map(([name, request]): Comparison => {
    return { name, sides: [pick(unknown, request), pick(foreign, request)], work: 0 };
  });
  for (const comparison of [...controls, ...comparisons]) {
    const found = await measure(token, comparison);
    const isRight = isSeen(found) === comparison.work > 0;
    if (!isRight) faults += 1;
    const interval = `${found.low.toFixed(1)} to ${found.high.toFixed(1)}`;
    console.log(
      `${isRight ? "✔" : "✖"} ${comparison.name}: median ${found.median.toFixed(1)} µs, ${interval}; sees ${((found.high - found.low) / 2).toFixed(1)} µs`,
    );
  }
} finally {
  await surface.close();
}
console.log(
  `${pairs} pairs each: ${faults === 0 ? "no difference was seen but that of the control" : `${faults} are wrong`}`,
);
process.exitCode = faults === 0 ? 0 : 1;
