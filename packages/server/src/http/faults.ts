import type { Fault } from "@clew/contract";
import type { ErrorObject } from "ajv";

/** The errors of a failed schema validation as faults with paths, or null where the error is another. */
export function faultsOf(error: unknown): Fault[] | null {
  if (!(error instanceof Error) || !("validation" in error) || !Array.isArray(error.validation)) return null;
  const context = "validationContext" in error ? error.validationContext : "body";
  const errors: ErrorObject[] = error.validation;
  const faults = errors.filter(isTelling).map((fault) => {
    const pointer = pointerOf(fault);
    return { path: context === "body" ? pointer : parameterOf(pointer), message: messageOf(fault) };
  });
  return distinct(faults);
}

/** A union's own error says only that none of its branches fits; the branches say what they want. */
function isTelling(fault: ErrorObject, _: number, all: ErrorObject[]): boolean {
  return fault.keyword !== "anyOf" || all.length === 1;
}

/** JSON Pointer (RFC 6901) to the fault; a missing or unknown field is named itself. */
function pointerOf({ instancePath, params }: ErrorObject): string {
  const field: unknown = params.missingProperty ?? params.additionalProperty;
  if (typeof field !== "string") return instancePath;
  return `${instancePath}/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** `/limit` of a query is `?limit` for the reader. */
function parameterOf(pointer: string): string {
  return `?${pointer.slice(1)}`;
}

function messageOf({ keyword, message, params }: ErrorObject): string {
  if (keyword === "additionalProperties") return "is not known";
  if (keyword === "required") return "is missing";
  const allowed: unknown = params.allowedValues;
  if (Array.isArray(allowed)) return `must be one of ${allowed.join(", ")}`;
  return message ?? "is not valid";
}

function distinct(faults: Fault[]): Fault[] {
  const seen = new Map(faults.map((fault) => [`${fault.path}\n${fault.message}`, fault]));
  return [...seen.values()];
}
