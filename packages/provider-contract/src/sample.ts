import type { Sample } from "./provider-under-test.ts";

/** Pages in pages, a link in each direction, a page without links, and a database. */
export const sample: Sample = {
  pages: [
    {
      title: "Handbook",
      parent: null,
      text: ["The handbook names everything.", { linkTo: "Glossary" }],
    },
    {
      title: "Glossary",
      parent: "Handbook",
      text: ["A comet 😀 is a body of ice.", { linkTo: "Handbook" }, { linkTo: "Journal" }],
    },
    { title: "Journal", parent: null, text: ["Nothing is linked here."] },
  ],
  databases: [{ title: "Planets", rows: ["Mars", "Venus"] }],
};
