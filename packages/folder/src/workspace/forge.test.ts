import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { writeFolder } from "../testing/index.ts";
import { addressOfRemote, readForge } from "./forge.ts";
import { openWorkspace } from "./open.ts";

test("SRC-3: the address of a repository comes from its remote, without credentials", () => {
  const cases: readonly (readonly [remote: string, address: string | null])[] = [
    ["git@github.com:owner/name.git", "https://github.com/owner/name"],
    ["https://github.com/owner/name", "https://github.com/owner/name"],
    ["https://user:secret@gitlab.example/group/sub/name.git", "https://gitlab.example/group/sub/name"],
    ["ssh://git@codeberg.org:22/owner/name.git", "https://codeberg.org/owner/name"],
    ["http://forge.example:3000/owner/name.git", "https://forge.example:3000/owner/name"],
    ["/srv/git/name.git", null],
    ["file:///srv/git/name.git", null],
    ["../name", null],
    ["", null],
  ];
  for (const [remote, address] of cases) assert.equal(addressOfRemote(remote), address, remote);
});

const checkout = (remote: string, head = "ref: refs/heads/main\n") => ({
  ".git/config": `[core]\n\tbare = false\n[remote "other"]\n\turl = https://github.com/else/where\n[remote "origin"]\n\turl = ${remote}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n`,
  ".git/HEAD": head,
});

test("SRC-3: a page has the address of its file at a known forge", async (t) => {
  const cases: readonly (readonly [remote: string, address: string | null])[] = [
    ["git@github.com:owner/name.git", "https://github.com/owner/name/blob/main/docs/a%20b.md"],
    ["https://gitlab.com/g/s/name.git", "https://gitlab.com/g/s/name/-/blob/main/docs/a%20b.md"],
    ["https://codeberg.org/owner/name", "https://codeberg.org/owner/name/src/branch/main/docs/a%20b.md"],
    ["https://forge.example/owner/name", null],
  ];
  for (const [remote, address] of cases) {
    const root = await writeFolder(t, { ...checkout(remote), "docs/a b.md": "" });
    assert.equal((await readForge(path.join(root, "docs")))?.addressOf("a b.md"), address, remote);
  }
  assert.equal(await readForge(await writeFolder(t, { "a.md": "" })), null);
});

test("SRC-3: a link to the address of a file at the forge leads to its page", async (t) => {
  const links = [
    "https://github.com/owner/name/blob/main/docs/a.md#usage",
    "https://github.com/Owner/Name/blob/feature/x/docs/a.md",
    "https://github.com/owner/name/tree/v1.2/docs/guide",
    "https://raw.githubusercontent.com/owner/name/main/docs/a.md",
    "https://github.com/owner/name/blob/main/README.md",
    "https://github.com/owner/name-2/blob/main/docs/a.md",
    "https://github.com/owner/name/issues/7",
    "https://gitlab.com/owner/name/-/blob/main/docs/a.md",
  ];
  const root = await writeFolder(t, {
    ...checkout("git@github.com:owner/name.git"),
    "README.md": "",
    "docs/a.md": "# A\n\n## Usage\n",
    "docs/guide/index.md": "",
    "docs/links.md": links.map((link) => `[x](${link})\n`).join("\n"),
  });
  const workspace = (await openWorkspace(path.join(root, "docs"))).current();
  const page = workspace.entries.find(({ path: place }) => place === "links.md");
  assert.ok(page);
  const targets = workspace.blocks(page).map(({ block }) => {
    const [span] = "text" in block ? block.text : [];
    const link = span?.kind === "text" ? span.link : null;
    return link?.kind === "entry" ? [workspace.entry(link.id)?.path, link.section] : null;
  });
  assert.deepEqual(targets, [
    ["a.md", "Usage"],
    ["a.md", null],
    ["guide", null],
    ["a.md", null],
    null,
    null,
    null,
    null,
  ]);
});
