export type { Faults } from "./faults/faults.ts";
export type { Fault, FaultRule } from "./faults/rule.ts";
export type { RecordedRequest } from "./http/request-log.ts";
export { type ConsentChoice, giveConsent } from "./oauth/give-consent.ts";
export type { ListenOptions, StandInOptions } from "./options.ts";
export {
  type EmbeddedStandIn,
  embedStandIn,
  type StandIn,
  sampleDirectory,
  startStandIn,
} from "./stand-in.ts";
export type { WebhookEvent } from "./webhooks/send-webhook.ts";
export type { Entry, Warning } from "./workspace/entry.ts";
export type { Person } from "./workspace/people.ts";
export type { Workspace } from "./workspace/workspace.ts";
