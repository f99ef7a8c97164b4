import type { Section, Shown } from "./section.ts";
import { table } from "./table.ts";

export interface ShownChapter {
  readonly title: string;
  readonly sections: ({ readonly section: Section } & Shown)[];
}

const introduction = `# Conformance

The specification that Clew was built to, statement by statement, against a Clew that runs: what is demanded, the request
that was sent, the answer that came, and what was checked of it. The numbers (§) are that specification's. What it leaves
open is settled in [specification.md](specification.md).

Everything here was written by \`npm run docs\`. \`npm test\` sends the requests again, fails where a check
does, and fails where this page differs from what it saw.

The clock stands still at 2 March 2026, 9:00 UTC, until a section lets time pass. What differs from run to run, or is
secret, is masked: \`<ACCESS_TOKEN>\`, \`svc_…\`, \`<REQUEST_ID>\`. Of the answers' headers those that matter are shown;
every body is JSON.`;

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

/** Where GitHub and its like put a heading: lower case, spaces as dashes, no punctuation. */
function anchorOf(title: string): string {
  const text = title.replaceAll("&lt;", "<").replaceAll("&gt;", ">").toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
}
