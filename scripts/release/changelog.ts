/** The part of a changelog that is about one version. */
interface Section {
  /** The day of the release, as YYYY-MM-DD; null before it. */
  readonly date: string | null;
  /** Its entries, as Markdown. */
  readonly text: string;
}

/**
 * Reads the section of a version, whose heading is `## 1.2.3 (2027-01-31)`, or `## 1.2.3 (not released)` before its release. Throws
 * if there is none, or nothing in it.
 */
export function sectionOf(changelog: string, version: string): Section {
  const heading = new RegExp(
    `^## ${version.replaceAll(".", "\\.")} \\((?:(\\d{4}-\\d{2}-\\d{2})|not released)\\)$`,
    "m",
  );
  const match = heading.exec(changelog);
  if (match === null)
    throw new Error(`CHANGELOG.md has no heading “## ${version} (not released)”, or with its date`);
  const rest = changelog.slice(match.index + match[0].length);
  const end = rest.search(/^## /m);
  const text = (end === -1 ? rest : rest.slice(0, end)).trim();
  if (!/^- (?:Added|Changed|Fixed|Removed): /m.test(text))
    throw new Error(`The section of ${version} in CHANGELOG.md is empty`);
  return { date: match[1] ?? null, text };
}
