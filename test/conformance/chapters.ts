import { graphChapter } from "./chapters/graph.ts";
import { limitChapter } from "./chapters/limits.ts";
import { serviceTokenChapter } from "./chapters/service-tokens.ts";
import { sessionChapter } from "./chapters/sessions.ts";
import { signInChapter } from "./chapters/sign-in.ts";
import { stateChapter } from "./chapters/states.ts";

/** All chapters. Their sections share one Clew and its clock, which only moves forward: those that advance it far come last. */
export const chapters = [
  signInChapter,
  sessionChapter,
  serviceTokenChapter,
  graphChapter,
  limitChapter,
  stateChapter,
];
