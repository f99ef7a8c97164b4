import { ApiError } from "../../model/api-error.ts";
import type { ServiceToken } from "../../model/service-token.ts";
import type { ReadHandle } from "../../store/port.ts";
import { findServiceToken } from "../../store/queries/service-tokens.ts";

/** The user's token of an id as it is written in a path, or anybody's where no user is named; null where it names none. */
export async function findById(
  db: ReadHandle,
  userId: string | null,
  text: string,
): Promise<ServiceToken | null> {
  const id = parseTokenId(text);
  return id === null ? null : findServiceToken(db, userId, id);
}

/** A token's id has one spelling: `07`, `7.0` and `+7` name nothing. */
function parseTokenId(text: string): number | null {
  const id = Number(text);
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : null;
}

/** Another user's token is as unknown as one that never was. */
export function noSuchToken(): ApiError {
  return new ApiError("not_found", "You have no service token of this id.");
}
