import assert from "node:assert/strict";
import { ProviderError } from "@clew/provider";
import type { Case } from "../provider-under-test.ts";
import { nodesOf, nodeTitled, readerOf } from "../read.ts";

const isNotFound = (error: unknown) => error instanceof ProviderError && error.code === "not_found";

/** Tags as nodes, for readers that ask for them. */
export const tagCases: readonly Case[] = [
  {
    name: "SRC-4: a reader that does not ask for tags lists none, and one of a provider without tags neither",
    async run(under) {
      await under.tag?.("Journal", "Stars");
      const plain = await nodesOf(readerOf(under).search());
      assert.ok(plain.every(({ type }) => type !== "tag"));
      if (under.provider.hasTags) return;
      const withTags = under.provider.reader(under.accessToken, { tags: true });
      assert.deepEqual(await nodesOf(withTags.search()), plain);
    },
  },
  {
    name: "SRC-4: a tag is listed, looked up like a page, and mentioned by its pages, until none has it",
    async run(under) {
      if (!under.provider.hasTags) return;
      assert.ok(under.tag, "the suite cannot give pages tags");
      await under.tag("Journal", "Stars");
      await under.tag("Glossary", "stars");
      const reader = under.provider.reader(under.accessToken, { tags: true });
      const tags = (await nodesOf(reader.search())).filter(({ type }) => type === "tag");
      const [tag] = tags;
      assert.ok(tag !== undefined && tags.length === 1, "names that differ in capitals are one tag");
      const { id: tagId } = tag;
      assert.equal(tag.title.toLowerCase(), "stars");
      assert.deepEqual(await reader.page(tag.id), tag);
      for (const title of ["Journal", "Glossary"]) {
        const page = await nodeTitled(reader, title);
        const mentions = page.references.filter(({ targetId }) => targetId === tagId);
        const [{ type, count } = {}] = mentions;
        assert.deepEqual([mentions.length, type, count], [1, "mention", 1]);
        assert.ok(page.mentioned.some(({ id, type }) => id === tag.id && type === "tag"));
        const looked = await reader.page(page.id);
        assert.deepEqual(looked.references, page.references, "a look-up gives what the list gave");
        await under.rewrite(title, ["Nothing."]);
      }
      assert.ok((await nodesOf(reader.search())).every(({ type }) => type !== "tag"));
      await assert.rejects(reader.page(tag.id), isNotFound);
      await assert.rejects(readerOf(under).page(tag.id), isNotFound);
    },
  },
];
