import { type Fault, tokenLimits } from "@clew/contract";
import { hasVisibleCharacter, invisibleCharacters } from "./visible-text.ts";

/** A token's name as it is kept. */
export const trimName = (name: string): string => name.trim();

/** What is wrong with a token's name (TOK-3). Characters are Unicode code points. */
export function nameFaults(name: string): Fault[] {
  const trimmed = trimName(name);
  const length = [...trimmed].length;
  const faults: string[] = [];
  if (!hasVisibleCharacter(trimmed)) faults.push("must not be blank");
  if (length > tokenLimits.nameLength) faults.push(`must have up to ${tokenLimits.nameLength} characters`);
  const invisible = invisibleCharacters(trimmed);
  if (invisible.length > 0)
    faults.push(`must consist of visible characters, without ${invisible.join(", ")}`);
  if (!trimmed.isWellFormed()) faults.push("must hold no unpaired surrogates");
  return faults.map((message) => ({ path: "/name", message }));
}
