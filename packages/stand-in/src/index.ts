export { type EmbeddedSite, type EmbedOptions, embedStandIn } from "./embedded/embed.ts";
export { wholeGrants } from "./oauth/state-file.ts";
export { type StandIn, type StandInOptions, sampleDirectory, startStandIn } from "./stand-in.ts";
