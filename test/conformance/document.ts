import { createHash } from "node:crypto";
import type { Section, Shown } from "./section.ts";
import { table } from "./table.ts";

export interface ShownChapter {
  readonly title: string;
  readonly sections: ({ readonly section: Section } & Shown)[];
}

const aboutBoth = `Each statement of the specification that Clew was built to, checked against a running Clew. The numbers (§) are those of that
specification. What it leaves open is settled in [specification.md](specification.md).`;

/**
 * The page docs/conformance.md: a line for each section. It has a digest of the section's long form, so that the page is out of
 * date if any response changes.
 */
export function writeTable(chapters: readonly ShownChapter[]): string {
  const rows = chapters.flatMap(({ sections }) =>
    sections.map(({ section, claims, markdown }) => [
      section.source,
      section.title,
      section.demand,
      `${claims} ✓`,
      createHash("sha256").update(markdown).digest("hex").slice(0, 8),
    ]),
  );
  const about = `# Conformance

${aboutBoth}

\`npm run docs\` wrote this page. \`npm run conformance\` prints the requests, the responses and the checks of every section. \`npm test\`
repeats them, and fails if a check fails or this page is out of date: the digest is that of what is printed.`;
  const counts = countsOf(chapters);
  return `${[about, counts, table(["specification", "section", "demanded", "checks", "digest"], rows)].join("\n\n")}\n`;
}

/** Every section in full: the requirement, the requests, their responses and the checks. */
export function writeLongForm(chapters: readonly ShownChapter[]): string {
  const about = `# Conformance

${aboutBoth}

The clock stays at 2 March 2026, 9:00 UTC, unless a section advances it. Secrets and values that differ between runs are
masked: \`<ACCESS_TOKEN>\`, \`svc_…\`, \`<REQUEST_ID>\`. Only relevant headers of responses are shown; every body is JSON.`;
  const bodies = chapters.map(({ title, sections }) =>
    [`## ${title}`, ...sections.map(({ markdown }) => markdown)].join("\n\n"),
  );
  return `${[about, countsOf(chapters), ...bodies].join("\n\n")}\n`;
}

function countsOf(chapters: readonly ShownChapter[]): string {
  const all = chapters.flatMap(({ sections }) => sections);
  return `${all.length} sections, ${all.reduce((sum, { claims }) => sum + claims, 0)} checks.`;
}
