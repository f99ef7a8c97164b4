import MiniSearch from "minisearch";
import { titleOf } from "../workspace/titles.ts";
import type { TitlePeer } from "./peer.ts";

// Finds prefixes of words and misspellings, as Clew does, but no text inside a word.
const index = new MiniSearch({
  fields: ["title"],
  searchOptions: { prefix: true, fuzzy: 0.2, combineWith: "AND" },
});

export const peer: TitlePeer = {
  load({ seed, size }) {
    for (let id = 0; id < size; id += 1) index.add({ id, title: titleOf(seed, id).text });
  },
  search: (query, limit) => index.search(query).slice(0, limit).length,
};
