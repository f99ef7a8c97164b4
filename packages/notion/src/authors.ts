import type { Author } from "@clew/graph";
import { ProviderError, type Verification } from "@clew/provider";
import type { NotionApi } from "./api.ts";
import { at, optionalObject, optionalText, requiredText, textAt } from "./json.ts";
import { answersOf } from "./pagination.ts";

/** People and bots of Notion. https://developers.notion.com/reference/user */

/** The person or bot of a user object; null if there is none. Throws `UnreadableError`. */
function userOf(holder: unknown, ...path: readonly (string | number)[]): Author | null {
  if (optionalObject(holder, ...path) === null) return null;
  return { id: requiredText(holder, ...path, "id"), name: optionalText(holder, ...path, "name") };
}

/** Who made an object and who edited it last, as far as it says so. Databases do not, their data sources do. */
export function authorsOf(json: unknown): { createdBy?: Author; editedBy?: Author } {
  const [createdBy, editedBy] = [userOf(json, "created_by"), userOf(json, "last_edited_by")];
  return { ...(createdBy && { createdBy }), ...(editedBy && { editedBy }) };
}

/** Everybody whom the provider lists: the members and bots of the workspace, but no guests. */
export async function* authors(api: NotionApi): AsyncGenerator<Author> {
  for await (const { results } of answersOf((paging) => api.call(({ users }) => users.list(paging))))
    for (const [index] of results.entries()) {
      const author = userOf(results, index);
      if (author !== null) yield author;
    }
}

/** A person or bot by id, guests of the workspace included; without a name if the provider knows no such user. */
export async function author(api: NotionApi, id: string): Promise<Author> {
  try {
    const user = await api.call(({ users }) => users.retrieve({ user_id: id }));
    return { id, name: textAt(user, "name") };
  } catch (error) {
    if (error instanceof ProviderError && (error.code === "not_found" || error.code === "invalid"))
      return { id, name: null };
    throw error;
  }
}

/** The verification among the properties of a page; null if nobody has vouched for it, or the property cannot be read. */
export function verificationOf(properties: readonly unknown[]): Verification | null {
  const value = at(
    properties.find((one) => textAt(one, "type") === "verification"),
    "verification",
  );
  const state = textAt(value, "state");
  if (state !== "verified" && state !== "expired") return null;
  const by = textAt(value, "verified_by", "id");
  return {
    state,
    by: by === null ? null : { id: by, name: textAt(value, "verified_by", "name") },
    since: textAt(value, "date", "start"),
    until: textAt(value, "date", "end"),
  };
}
