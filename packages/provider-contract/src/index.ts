export { cases, describeProvider, runCase } from "./cases.ts";
export type {
  Behavior,
  Case,
  OpenProvider,
  Paragraph,
  ProviderUnderTest,
  Sample,
  SampleDatabase,
  SamplePage,
} from "./provider-under-test.ts";
export { whyNever } from "./read.ts";
export { sample } from "./sample.ts";
