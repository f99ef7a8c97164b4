export { type ConsentChoice, giveConsent } from "./oauth/give-consent.ts";
export { type StandIn, type StandInOptions, sampleDirectory, startStandIn } from "./stand-in.ts";
export type { Entry, Warning } from "./workspace/entry.ts";
export type { Person } from "./workspace/people.ts";
export type { Workspace } from "./workspace/workspace.ts";
