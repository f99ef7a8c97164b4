import { changeModule } from "../support/change-module.ts";

// Every process and thread of a test run loads this first: NODE_OPTIONS, which tests pass on, has its address with the
// mutant. It changes one place of one file as that file is loaded.
const mutant = new URL(import.meta.url).searchParams;
const [start, end] = [Number(mutant.get("start")), Number(mutant.get("end"))];

changeModule(
  mutant.get("url") ?? "",
  (source) => source.slice(0, start) + mutant.get("text") + source.slice(end),
);
