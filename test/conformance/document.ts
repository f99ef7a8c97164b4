import type { Section, Shown } from "./section.ts";
import { table } from "./table.ts";

export interface ShownChapter {
  readonly title: string;
  readonly sections: ({ readonly section: Section } & Shown)[];
}

const introduction = `# Conformance

Each statement of the specification that Clew was built to, checked against a running Clew: the requirement, the request,
the response, and the checks. The numbers (§) are those of that specification. What it leaves open is settled in
[specification.md](specification.md).

Everything here was written by \`npm run docs\`. \`npm test\` repeats the requests, and fails if a check
fails or this page is out of date.

The clock stays at 2 March 2026, 9:00 UTC, unless a section advances it. Secrets and values that differ between runs are
masked: \`<ACCESS_TOKEN>\`, \`svc_…\`, \`<REQUEST_ID>\`. Only relevant headers of responses are shown; every body is JSON.`;

/** The whole document: an overview with a line for every section, then the chapters. */
export function writeDocument(chapters: readonly ShownChapter[]): string {
  const all = chapters.flatMap(({ sections }) => sections);
  const rows = all.map(({ section, claims }) => [
    section.source,
    `[${section.title}](#${anchorOf(section.title)})`,
    `${claims} ✓`,
  ]);
  const claims = all.reduce((sum, each) => sum + each.claims, 0);
  const overview = `${all.length} sections, ${claims} checks.\n\n${table(["specification", "section", "checks"], rows)}`;
  const bodies = chapters.map(({ title, sections }) =>
    [`## ${title}`, ...sections.map(({ markdown }) => markdown)].join("\n\n"),
  );
  return `${[introduction, overview, ...bodies].join("\n\n")}\n`;
}

/** The anchor of a heading, as GitHub derives it: lower case, spaces as dashes, no punctuation. */
function anchorOf(title: string): string {
  const text = title.replaceAll("&lt;", "<").replaceAll("&gt;", ">").toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
}
