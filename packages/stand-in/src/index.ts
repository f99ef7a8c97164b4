export {
  type EmbeddedStandIn,
  embedStandIn,
  type StandIn,
  type StandInOptions,
  sampleDirectory,
  startStandIn,
} from "./stand-in.ts";
