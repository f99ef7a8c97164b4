import type { Named } from "@clew/contract";
import * as contract from "@clew/contract";

/** Every named message of the contract: routes refer to them, and OpenAPI shows each once. */
export const messages: readonly Named[] = Object.values<unknown>(contract).filter(isNamed);

function isNamed(value: unknown): value is Named {
  return typeof value === "object" && value !== null && "$id" in value && typeof value.$id === "string";
}
