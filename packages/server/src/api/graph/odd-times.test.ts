import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeId } from "../../store/testing/scratch.ts";
import { serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";

/** After the year 9999, after the last time of a `Date`, and before the first of each. */
const oddTimes = [1e15, 2 ** 53 - 1, -1e15, -(2 ** 53 - 1)];

test("SYNC-13: stored times beyond the years 1 to 9999 fail no answer", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const pages = oddTimes.map((time, index) => ({
    number: index + 1,
    given: { createdAt: time, updatedAt: time },
  }));
  await owner.connect(workspace, pages);
  const token = await owner.token({ workspaceIds: [workspace] });
  const id = nodeId(1);
  const paths = [
    "/recent/?limit=1",
    "/changes/?limit=1",
    `/nodes/?ids=${oddTimes.map((_, index) => nodeId(index + 1)).join(",")}`,
    `/nodes/${id}/`,
    `/nodes/${id}/content/`,
    "/export/",
    "/search/?q=page",
    "/search/?sort=updated&limit=1",
    "/search/?sort=created&limit=1",
  ];
  for (const path of paths) {
    for (let next: string | null = path; next !== null; ) {
      const { status, text, body } = await token.get(next);
      assert.equal(status, 200, `${next}: ${text}`);
      for (const [, time = ""] of text.matchAll(/"(?:at|created_at|updated_at)":"([^"]*)"/g))
        assert.match(time, /^(?:9999-12-31T23:59:59.999|0001-01-01T00:00:00.000)Z$/);
      const isLast = !path.includes("limit=1") || body.items.length === 0 || body.next_cursor === null;
      next = isLast ? null : `${path}&cursor=${body.next_cursor}`;
    }
  }
});
