import assert from "node:assert/strict";
import { test } from "node:test";
import { pagesOf } from "./context-pages.ts";

type Context = Parameters<typeof pagesOf>[0];

const item = (...passages: readonly (readonly [offset: number, ...headings: string[]])[]) =>
  ({
    passages: passages.map(([offset, ...headings]) => ({ offset, chars: 1, headings })),
  }) as Context["items"][number];

const shown = (context: Context) =>
  pagesOf(context).map(({ place, sections, notes }) => ({
    place,
    notes,
    sections: sections.map(({ headings, offset, blocks }) => [
      headings.join(" › "),
      offset,
      blocks.map(({ kind }) => kind).join(),
    ]),
  }));

test("GRAPH-22: a context is taken apart into pages, and these into the passages below each heading", () => {
  const markdown = `# One
Place: A › B
Why: its text matches
~~~~
An opening.

# First
## Second
A text with ~~~ in it.
[…]

- an item
## Third
~~~
# code
~~~
~~~~
(Nearly the same in C)

# Two
Why: its title matches
~~~
# Head
Words.
~~~`;
  const items = [
    item([0], [20, "First", "Second"], [40, "First", "Second"], [60, "First", "Third"]),
    item([7, "Head"]),
  ];
  assert.deepEqual(shown({ markdown, items }), [
    {
      place: "A › B",
      notes: ["(Nearly the same in C)"],
      sections: [
        ["", 0, "paragraph"],
        ["First › Second", 20, "paragraph,paragraph,bullet"],
        ["First › Third", 60, "code"],
      ],
    },
    { place: null, notes: [], sections: [["Head", 7, "paragraph"]] },
  ]);
});

test("GRAPH-22: a text whose headings are not those of its passages stays whole", () => {
  const markdown = "# One\nWhy: its text matches\n~~~\nWords.\n\n# Of their own\nMore.\n~~~";
  const [page] = shown({ markdown, items: [item([3, "Above"])] });
  assert.deepEqual(page?.sections, [["Above", 3, "paragraph,heading,paragraph"]]);
});
