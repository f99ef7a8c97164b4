import assert from "node:assert/strict";
import { test } from "node:test";
import { datesOf } from "./dates.ts";

const now = Date.UTC(2026, 5, 1);
const file = { path: "a.md", createdAt: Date.UTC(2026, 4, 1), editedAt: Date.UTC(2026, 4, 2) };
const fromGit = { createdAt: Date.UTC(2024, 0, 1), editedAt: Date.UTC(2025, 0, 1) };

const dated = (
  data: Record<string, unknown>,
  git = new Map<string, typeof fromGit>(),
  roundsTimes = false,
) => {
  const { createdAt, editedAt } = datesOf(data, file, { git, now, roundsTimes });
  return [createdAt, editedAt].map((time) =>
    new Date(time)
      .toISOString()
      .replace(/(?::00)?\.000Z$/, "")
      .replace(/T00:00$/, ""),
  );
};

const forms: readonly [data: Record<string, unknown>, created: string, edited: string][] = [
  [{}, "2026-05-01", "2026-05-02"],
  [{ created: "2023-01-02", updated: "2023-03-04T05:06:07Z" }, "2023-01-02", "2023-03-04T05:06:07"],
  [{ "date created": "2023-01-02", "date modified": "2023-03-14" }, "2023-01-02", "2023-03-14"],
  [{ "Date-Modified": "2023-03-14 10:22" }, "2023-03-14T10:22", "2023-03-14T10:22"],
  [{ lastmod: "2023-03-14T10:22:00+02:00" }, "2023-03-14T08:22", "2023-03-14T08:22"],
  [{ last_modified: "2023-03-14 10:22:33 +0200" }, "2023-03-14T08:22:33", "2023-03-14T08:22:33"],
  [{ modified: "2023-03-14", date: "2021-01-01" }, "2021-01-01", "2023-03-14"],
  [{ date: "2021-01-01" }, "2021-01-01", "2021-01-01"],
  [{ "ms.date": "08/13/2025" }, "2025-08-13", "2025-08-13"],
  [{ "ms.date": "8/3/2025" }, "2025-08-03", "2025-08-03"],
  [{ created: 1603234080000, updated: "1634770080000" }, "2020-10-20T22:48", "2021-10-20T22:48"],
  [{ created: "2027-01-01", updated: "2026-06-02" }, "2026-05-01", "2026-05-02"],
  [{ updated: "2026-06-02", date: "2021-01-01" }, "2021-01-01", "2021-01-01"],
  [{ updated: "2023-02-30" }, "2026-05-01", "2026-05-02"],
  [{ updated: "13/45/2025" }, "2026-05-01", "2026-05-02"],
  [{ "ms.date": "13/45/2025" }, "2026-05-01", "2026-05-02"],
  [{ updated: "0001-01-01T00:00:00Z" }, "2026-05-01", "2026-05-02"],
  [{ updated: 2023, created: 20230314 }, "2026-05-01", "2026-05-02"],
  [{ updated: true, modified: ["2023-01-01"], date: { year: 2023 } }, "2026-05-01", "2026-05-02"],
  [{ created: "2026-05-20" }, "2026-05-20", "2026-05-20"],
];

test("SRC-4: the dates of a page are those of its front matter; those in the future and nonsense are ignored", () => {
  for (const [data, ...expected] of forms) assert.deepEqual(dated(data), expected, JSON.stringify(data));
});

test("SRC-4: without front matter the dates are those of git, then those of the file", () => {
  const git = new Map([["a.md", fromGit]]);
  assert.deepEqual(dated({}, git), ["2024-01-01", "2025-01-01"]);
  assert.deepEqual(dated({ updated: "2024-06-01" }, git), ["2024-01-01", "2024-06-01"]);
  assert.deepEqual(dated({ updated: "2023-06-01" }, git), ["2023-06-01", "2023-06-01"]);
  assert.deepEqual(dated({ created: "2023-06-01" }, git), ["2023-06-01", "2025-01-01"]);
  assert.deepEqual(dated({}, new Map([["b.md", fromGit]])), ["2026-05-01", "2026-05-02"]);
});

test("SRC-4: dates keep their seconds, by which pages of one minute are sorted; a provider that rounds has minutes", () => {
  const posts = ["2023-03-14T10:22:07Z", "2023-03-14T10:22:41.250Z"].map((date) => ({ date }));
  assert.deepEqual(
    posts.map((data) => dated(data)[1]),
    ["2023-03-14T10:22:07", "2023-03-14T10:22:41.250Z"],
  );
  for (const data of posts)
    assert.deepEqual(dated(data, new Map(), true), ["2023-03-14T10:22", "2023-03-14T10:22"]);
  const precise = { path: "a.md", createdAt: 1_700_000_000_001.5, editedAt: 1_700_000_000_123.75 };
  assert.deepEqual(datesOf({}, precise, { git: new Map(), now }), {
    createdAt: 1_700_000_000_001,
    editedAt: 1_700_000_000_123,
  });
});
