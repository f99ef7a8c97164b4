export { ProviderError, type ProviderErrorCode } from "./errors.ts";
export {
  type Collection,
  type Column,
  type CutProperty,
  type HeldReferences,
  isJsonList,
  type Json,
  type ListEntry,
  type ListedNode,
  type NodeReference,
  type PageContent,
  type ParentRef,
  type PartialProperties,
  type SearchEntry,
  type ShownNode,
  type ShownTitle,
  type UnreadableEntry,
  type UnreadProperty,
  type Unsupported,
  type WholeProperty,
} from "./nodes.ts";
export type {
  Grant,
  Provider,
  ReaderOptions,
  RenewedGrant,
  SetupGuide,
  TextReader,
  WebhookEvent,
  Webhooks,
  WorkspaceReader,
} from "./port.ts";
export { type Clock, type RandomBytes, type Sleep, timeRange } from "./runtime.ts";
