import assert from "node:assert/strict";
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { skipUnprivileged as skip, unprivileged as user } from "../support/unprivileged.ts";
import { type ShownById, Watching } from "./watching.ts";

function idAt(shown: ShownById, place: string): string {
  const [id] = [...shown].find(([, page]) => page.path === place) ?? [];
  assert.ok(id !== undefined, place);
  return id;
}

test("SRC-2: what the system no longer lets Clew read stays, and is not said to be gone after a restart", {
  skip,
}, async (t) => {
  const root = await mkdtemp(path.join(tmpdir(), "folder-unread-"));
  const place = (name: string) => path.join(root, name);
  const watching = new Watching(place("notes"), place("pages.jsonl"), user);
  t.after(async () => {
    await watching.kill();
    for (const name of ["notes/sub", "notes/one.md"]) await chmod(place(name), 0o755);
    await rm(root, { recursive: true });
  });
  for (const folder of ["", "notes", "notes/sub", "notes/sub/deep"]) {
    await mkdir(place(folder), { recursive: true });
    await chown(place(folder), user.uid, user.gid);
  }
  const files = {
    "one.md": "# One",
    "two.md": "[x](sub/deep/a.md)",
    "gone.md": "# Gone",
    "sub/deep/a.md": "# A",
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(place(`notes/${name}`), text);
    await chown(place(`notes/${name}`), user.uid, user.gid);
  }
  await watching.start();
  const { shown: before, hasUnread } = await watching.settle();
  assert.equal(hasUnread, false);
  const ids = ["one.md", "sub/deep/a.md", "gone.md"].map((file) => idAt(before, file));

  await chmod(place("notes/sub"), 0);
  await chmod(place("notes/one.md"), 0);
  const denied = await watching.settle(ids);
  assert.deepEqual(denied.shown, before);
  assert.equal(denied.hasUnread, true);

  await rm(place("notes/gone.md"));
  await watching.kill();
  await watching.start();
  const restarted = await watching.settle(ids);
  assert.deepEqual(
    [...restarted.shown.values()].map((page) => page.path),
    ["two.md"],
  );
  assert.deepEqual(restarted.unread, ids.slice(0, 2), "the page that was removed is known to be gone");

  await chmod(place("notes/sub"), 0o755);
  await chmod(place("notes/one.md"), 0o644);
  const again = await watching.settle(ids);
  assert.equal(again.hasUnread, false);
  const others = new Map(before);
  others.delete(idAt(before, "gone.md"));
  assert.deepEqual(new Map([...again.shown].sort()), new Map([...others].sort()));
});
