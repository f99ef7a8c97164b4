export type { Fault, FaultRule } from "./faults.ts";
export { writeWorkspace } from "./generate/generate-workspace.ts";
export { answerConsent, type ConsentChoice, giveConsent } from "./give-consent.ts";
export type { RecordedRequest } from "./request-log.ts";
export {
  buildTestStandIn,
  startTestStandIn,
  type TestStandIn,
  type TestStandInOptions,
} from "./test-stand-in.ts";
