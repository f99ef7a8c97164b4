import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";
import { readPage } from "../../packages/dashboard/site/read-page.ts";
import { addressesOf, docsFiles, pageOf, root, sourceOf } from "./pages.ts";

/** Says what is wrong with a relative link in a file; null if it leads somewhere. */
function faultOf(file: string, address: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(address)) return null;
  const [target = "", fragment] = address.split("#");
  const path = target === "" ? file : posix.join(posix.dirname(file), target);
  if (!existsSync(join(root, path))) return `${file}: ${address} leads to no file`;
  if (fragment === undefined || !path.endsWith(".md")) return null;
  const anchors = [...(docsFiles.includes(path) ? pageOf(path) : readAt(path)).headings.values()];
  return anchors.some(({ anchor }) => anchor === fragment) ? null : `${file}: ${address} leads to no heading`;
}

const readAt = (path: string) => readPage(sourceOf(path));

test("every relative link of the documentation leads to a file, and to a heading if it names one", () => {
  let links = 0;
  const faults: string[] = [];
  for (const file of docsFiles) {
    for (const address of addressesOf(pageOf(file))) {
      links += 1;
      const fault = faultOf(file, address);
      if (fault !== null) faults.push(fault);
    }
  }
  assert.ok(links > 300, `${links} links`);
  assert.deepEqual(faults, []);
});

test("a link to a file or a heading that does not exist is found", () => {
  assert.equal(faultOf("docs/agents.md", "clients.md"), null);
  assert.equal(faultOf("docs/agents.md", "#what-a-call-costs"), null);
  assert.ok(faultOf("docs/agents.md", "client.md")?.endsWith("leads to no file"));
  assert.ok(faultOf("docs/agents.md", "clients.md#nowhere")?.endsWith("leads to no heading"));
  assert.ok(faultOf("README.md", "#clew-clew")?.endsWith("leads to no heading"));
});
