import type { FailedPage as FailedPageMessage } from "@clew/contract";
import type { FailedPage } from "../model/sync-report.ts";

/** A page that could not be read, and why. */
export function presentFailedPage({ id, title, reason }: FailedPage): FailedPageMessage {
  return { node_id: id, title, reason };
}
