import { chapters } from "./chapters.ts";
import { type ShownChapter, writeLongForm } from "./document.ts";
import { showSection } from "./section.ts";
import { openStage } from "./stage.ts";

/**
 * Prints the long form of docs/conformance.md: each requirement with its requests, their responses and the checks, as Markdown.
 * `npm run --silent conformance > <file>` writes it to a file. The exit code is 1 if a check fails.
 */
const stage = await openStage();
try {
  const shown: ShownChapter[] = [];
  for (const { title, sections } of chapters) {
    const chapter: ShownChapter = { title, sections: [] };
    for (const section of sections)
      chapter.sections.push({ section, ...(await showSection(section, stage)) });
    shown.push(chapter);
  }
  process.stdout.write(writeLongForm(shown));
} finally {
  await stage.close();
}
