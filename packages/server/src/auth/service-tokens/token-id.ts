import { Refusal } from "../../model/refusal.ts";

/** A token's id has one spelling: `07`, `7.0` and `+7` name nothing, and neither does what null stands for. */
export function parseTokenId(text: string): number | null {
  const id = Number(text);
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : null;
}

/** Another user's token is as unknown as one that never was. */
export function noSuchToken(): Refusal {
  return new Refusal("not_found", "You have no service token of this id.");
}
