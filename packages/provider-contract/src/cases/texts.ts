import assert from "node:assert/strict";
import { plainText } from "@clew/text";
import type { Case } from "../provider-under-test.ts";
import { nodeTitled, readerOf } from "../read.ts";

/** Texts in our Markdown, and the references in them. */
export const textCases: readonly Case[] = [
  {
    name: "SYNC-2: a text has the sentences of its page, as docs/markdown.md has them read",
    async run(under) {
      const reader = readerOf(under);
      const { id } = await nodeTitled(reader, "Glossary");
      const { markdown, complete } = await reader.content(id);
      assert.ok(complete);
      assert.ok(plainText(markdown).text.includes("A comet 😀 is a body of ice."), markdown);
    },
  },
  {
    name: "SYNC-2, GRAPH-24: the references of a text name their targets, and their offsets the places",
    async run(under) {
      const reader = readerOf(under);
      const { id } = await nodeTitled(reader, "Glossary");
      const { markdown, references } = await reader.content(id);
      const targets = [await nodeTitled(reader, "Handbook"), await nodeTitled(reader, "Journal")];
      for (const target of targets) {
        const reference = references.find(({ targetId }) => targetId === target.id);
        assert.ok(reference, `nothing refers to ${target.title}`);
        assert.equal(reference.count, 1);
        const [offset = -1] = reference.offsets ?? [];
        // A link begins with a bracket, and a mention with a tag (docs/markdown.md).
        const place = [...markdown].slice(offset).join("");
        assert.match(place, /^[[<]/, `the offset ${offset} is at ${JSON.stringify(place.slice(0, 20))}`);
        assert.ok(place.split("\n", 1)[0]?.includes(target.id.replaceAll("-", "")) ?? false, place);
      }
      assert.equal(references.length, targets.length);
    },
  },
  {
    name: "GRAPH-24: a stored text is read again as it was read when it came",
    async run(under) {
      const reader = readerOf(under);
      const { markdown, references } = await reader.content((await nodeTitled(reader, "Handbook")).id);
      assert.deepEqual((await reader.texts.referencesIn(markdown)).references, references);
    },
  },
  {
    name: "SYNC-12: the titles that a text shows are replaced, and its references stay",
    async run(under) {
      const reader = readerOf(under);
      const glossary = await nodeTitled(reader, "Glossary");
      const { markdown, references } = await reader.content((await nodeTitled(reader, "Handbook")).id);
      const shown = (await reader.texts.titlesIn(markdown)).filter(({ id }) => id === glossary.id);
      const replaced = await reader.texts.withTitles(markdown, new Map([[glossary.id, "Dictionary"]]));
      assert.equal(plainText(replaced.markdown).text.includes("Dictionary"), shown.length > 0);
      const targetsOf = (found: typeof references) => found.map(({ targetId }) => targetId);
      assert.deepEqual(targetsOf(replaced.references), targetsOf(references));
    },
  },
];
