import { duration, megabytes } from "./figures.ts";
import { aims, aimsOfWhole, type Results, type SizeResult } from "./results.ts";

/** A chart of one cost, with lines over the number of pages. */
interface Panel {
  readonly title: string;
  readonly unit: (value: number) => string;
  readonly lines: readonly {
    readonly label: string;
    readonly of: (result: SizeResult) => number | undefined;
  }[];
  readonly aim?: number | undefined;
}

const operation = (title: string, name: string): Panel => ({
  title,
  unit: duration,
  lines: [
    { label: "p99", of: ({ clew }) => clew.timings[name]?.p99 },
    { label: "p50", of: ({ clew }) => clew.timings[name]?.p50 },
  ],
  aim: aims[name]?.p99,
});

const panels: readonly Panel[] = [
  operation("Neighbours, 1 step", "neighbours, 1 step"),
  operation("Shortest path", "shortest path"),
  operation("5 shortest paths", "5 shortest paths"),
  operation("Search, all kinds of queries", "search: all kinds"),
  {
    title: "Time to load and to build",
    unit: duration,
    lines: [
      { label: "load", of: ({ clew }) => clew.loadMs * 1000 },
      { label: "build", of: ({ clew }) => clew.buildMs * 1000 },
    ],
    aim: aimsOfWhole.loadMs * 1000,
  },
  {
    title: "Resident memory",
    unit: megabytes,
    lines: [{ label: "", of: ({ clew }) => clew.memoryBytes }],
    aim: aimsOfWhole.memoryBytes,
  },
];

const [width, height, columns] = [300, 220, 3];
const inner = { left: 62, right: 36, top: 34, bottom: 30 };

const style = `
  text { font: 11px system-ui, sans-serif; fill: #24292f }
  .title { font-size: 13px; font-weight: 600 }
  .grid { stroke: #8c959f; stroke-opacity: .35 }
  .line { fill: none; stroke-width: 2 }
  .line-0, .dot-0 { stroke: #0969da } .line-1, .dot-1 { stroke: #bc4c00 }
  .dot-0 { fill: #0969da } .dot-1 { fill: #bc4c00 }
  .aim { stroke: #1a7f37; stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #d1d7e0 }
    .line-0, .dot-0 { stroke: #58a6ff } .line-1, .dot-1 { stroke: #f0883e }
    .dot-0 { fill: #58a6ff } .dot-1 { fill: #f0883e }
    .aim { stroke: #3fb950 }
  }`;

/** An SVG that shows how each cost grows. Both axes are logarithmic; a dashed line is the aim at a million pages. */
export function pictureOf(results: Results): string {
  const rows = Math.ceil(panels.length / columns);
  const drawn = panels.map((panel, index) => {
    const place = `translate(${(index % columns) * width} ${Math.floor(index / columns) * height})`;
    return `<g transform="${place}">${drawPanel(panel, results)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${columns * width} ${rows * height}" role="img">
<title>How each cost grows with the number of pages</title>
<style>${style}
</style>
${drawn.join("\n")}
</svg>
`;
}

type Point = readonly [pages: number, value: number];

function drawPanel({ title, unit, lines, aim }: Panel, { sizes }: Results): string {
  const entries = Object.entries(sizes).map(([size, result]) => [Number(size), result] as const);
  const series = lines.map(({ label, of }) => ({ label, points: pointsOf(entries, of) }));
  const values = [...series.flatMap(({ points }) => points.map(([, value]) => value)), ...(aim ? [aim] : [])];
  const x = scale(
    entries.map(([size]) => size),
    inner.left,
    width - inner.right,
  );
  const y = scale(values, height - inner.bottom, inner.top);
  const parts = [`<text class="title" x="${inner.left}" y="20">${title}</text>`];
  for (const [size] of entries) {
    parts.push(`<text x="${x.of(size)}" y="${height - 12}" text-anchor="middle">${short(size)}</text>`);
  }
  for (const value of y.powers) {
    const at = y.of(value);
    parts.push(`<line class="grid" x1="${inner.left}" x2="${width - inner.right}" y1="${at}" y2="${at}"/>`);
    parts.push(`<text x="${inner.left - 6}" y="${at + 4}" text-anchor="end">${unit(value)}</text>`);
  }
  if (aim) {
    const at = y.of(aim);
    parts.push(`<line class="aim" x1="${inner.left}" x2="${width - inner.right}" y1="${at}" y2="${at}"/>`);
    parts.push(`<text x="${inner.left + 4}" y="${at - 4}">aim</text>`);
  }
  series.forEach(({ label, points }, index) => {
    const path = points.map(([size, value]) => `${x.of(size)},${y.of(value)}`);
    parts.push(`<polyline class="line line-${index}" points="${path.join(" ")}"/>`);
    for (const point of path) {
      const [cx, cy] = point.split(",");
      parts.push(`<circle class="dot-${index}" cx="${cx}" cy="${cy}" r="2.5"/>`);
    }
    const last = points.at(-1);
    if (last) parts.push(`<text x="${x.of(last[0]) + 7}" y="${y.of(last[1]) + 4}">${label}</text>`);
  });
  return parts.join("");
}

function pointsOf(
  entries: readonly (readonly [number, SizeResult])[],
  of: (result: SizeResult) => number | undefined,
): Point[] {
  return entries.flatMap(([size, result]): Point[] => {
    const value = of(result);
    return value === undefined || value <= 0 ? [] : [[size, value]];
  });
}

/** A logarithmic axis between two coordinates, with its powers of ten. */
function scale(values: readonly number[], from: number, to: number) {
  const logs = values.map((value) => Math.log10(value));
  const low = Math.floor(Math.min(...logs) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.max(...logs) - 1e-9));
  const of = (value: number) =>
    Math.round((from + ((Math.log10(value) - low) / (high - low)) * (to - from)) * 10) / 10;
  return { of, powers: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)) };
}

const short = (pages: number) => (pages >= 1_000_000 ? `${pages / 1_000_000} M` : `${pages / 1000} k`);
