import type { ApiErrorCode } from "../http/api-error.ts";

/** What happens to a request. */
export type Fault =
  /** It is answered so many milliseconds later. */
  | { readonly kind: "latency"; readonly milliseconds: number }
  /**
   * It is refused with an error of the API. `retryAfter` is in seconds, and none is sent where it is left out; `asDate`
   * writes it as the moment itself (RFC 9110, section 10.2.3).
   */
  | {
      readonly kind: "error";
      readonly code: ApiErrorCode;
      readonly message?: string;
      readonly retryAfter?: number;
      readonly asDate?: boolean;
    }
  /** A gateway before the API answers 502 with a page of HTML. */
  | { readonly kind: "bad_gateway" }
  /** The answer is cut at this share of its length (a half when left out), and says that it is whole. */
  | { readonly kind: "truncated"; readonly at?: number }
  /** The connection breaks at this share of the answer (a half when left out). */
  | { readonly kind: "disconnected"; readonly at?: number }
  /** Lists leave out pages and data sources: those named, or a share of all, always the same ones. */
  | { readonly kind: "omitted"; readonly ids?: readonly string[]; readonly share?: number }
  /** Lists leave out what was made or edited within so many milliseconds. Times are whole minutes. */
  | { readonly kind: "not_listed_yet"; readonly milliseconds: number }
  /** The answer is that of the workspace as it was last read when the rule was set. */
  | { readonly kind: "stale" }
  /** A cursor is not known any more; requests without one pass and are not counted. */
  | { readonly kind: "cursor_expired" }
  /**
   * A field is missing, null or of another type, wherever in an answer it stands, or in a share of those places, always
   * the same ones.
   */
  | {
      readonly kind: "malformed";
      readonly field: string;
      readonly as: "missing" | "null" | "other";
      readonly share?: number;
    }
  /** The answer is `{}`. */
  | { readonly kind: "empty" }
  /** Parents, or properties but titles, are of a type that is new: of all objects, or of a share, always the same ones. */
  | { readonly kind: "new_type"; readonly of: "parent" | "property"; readonly share?: number }
  /** The grant ends for good, its refresh token too. */
  | { readonly kind: "withdrawn" }
  /** The provider's clock is off: the `Date` of the answer and, in whole minutes, the times in it and in filters. */
  | { readonly kind: "clock_off"; readonly milliseconds: number };

/** Which requests something happens to, and how often. */
export interface FaultRule {
  /** Method and route, as `GET /v1/pages/:page_id/markdown`; `*` for every call of the API, OAuth apart. */
  readonly on: string | readonly string[];
  /** The id in the path that is meant, with dashes; any when left out. */
  readonly id?: string;
  /** The grant that is meant; any when left out. */
  readonly botId?: string;
  readonly fault: Fault;
  /** How likely it is for each request, 1 when left out; a request that is made again draws again. */
  readonly probability?: number;
  /** How many matching requests pass before it begins, 0 when left out. */
  readonly after?: number;
  /** How many times it happens, any number when left out. */
  readonly times?: number;
}
