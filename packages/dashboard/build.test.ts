import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { buildInto, isCompressedRight, readBuilt } from "./build.ts";
import { directory } from "./index.ts";

test("the built dashboard is what its source builds, byte for byte; otherwise run `npm run build:dashboard`", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "clew-dashboard-"));
  t.after(() => rm(folder, { recursive: true }));
  await buildInto(folder);
  const [built, present] = await Promise.all([readBuilt(folder), readBuilt(directory)]);
  assert.deepEqual([...present.keys()], [...built.keys()]);
  for (const [name, content] of built) assert.ok(present.get(name)?.equals(content), name);
});

test("each file has compressed copies that expand to it, and no data is inside of others", async () => {
  const files = await readBuilt(directory);
  assert.ok(files.size > 8);
  for (const [name, content] of files) {
    if (name.startsWith("assets/")) assert.ok(await isCompressedRight(join(directory, name), content), name);
    // Pages of the documentation may write about such addresses.
    if (!/\.js$|^docs\//.test(name)) assert.doesNotMatch(content.toString(), /data:/, name);
  }
});

/** The bytes that a browser loads for these files. */
async function compressedSize(names: readonly string[]): Promise<number> {
  const sizes = names.map(async (name) => (await readFile(join(directory, `${name}.br`))).length);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

test("the sign-in page loads at most 60 kB compressed, and the signed-in application 150 kB", async () => {
  const page = await readFile(join(directory, "index.html"), "utf8");
  // Templates are for people who are signed in.
  const withoutTemplates = page.replaceAll(/<template.*<\/template>/g, "");
  const linked = [...withoutTemplates.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  assert.ok(linked.length >= 4);
  const signIn = page.length + (await compressedSize(linked));
  assert.ok(signIn <= 60_000, `${signIn} bytes`);
  // All that the application's chunk imports is loaded with it; the other views are loaded when they are opened.
  const [app = ""] = [...(await readBuilt(directory)).keys()].filter((name) =>
    /^assets\/app-.*\.js$/.test(name),
  );
  const imported = [...(await readFile(join(directory, app), "utf8")).matchAll(/from"\.\/([^"]+)"/g)].map(
    ([, name]) => `assets/${name}`,
  );
  // The page has the browser load all of them at once.
  const [, template = ""] = /<template data-preload="app.tsx">(.*?)<\/template>/.exec(page) ?? [];
  for (const name of [app, ...imported])
    assert.ok(linked.includes(name) || template.includes(`href="./${name}"`), name);
  const whole = signIn + (await compressedSize([app, ...imported.filter((name) => !linked.includes(name))]));
  assert.ok(whole <= 150_000, `${whole} bytes`);
});
