import type { Model } from "./linearizability.ts";

/** Calls that concern one service token, and how each was answered: the status, or the code of the refusal. */
export interface TokenCall {
  readonly kind: "create" | "use" | "rotate" | "rotate with overlap" | "revoke" | "disconnect";
}

/** `absent` until its creation; `overlapping` once a rotation has given it an end that is hours away. */
type TokenState = "absent" | "usable" | "overlapping" | "ended";

/**
 * A service token (TOK-1, TOK-8, TOK-9, GRAPH-15). Its end holds on every instance from the answer on, so nothing in the model is
 * late. Disconnecting its only workspace ends it.
 */
export const tokenModel: Model<TokenState, TokenCall, string> = {
  initial: "absent",
  next(state, { kind }, outcome) {
    const works = state === "usable" || state === "overlapping";
    switch (`${kind}: ${outcome}`) {
      case "create: 201":
        return state === "absent" ? "usable" : null;
      case "use: 200":
        return works ? state : null;
      case "use: token_revoked":
        return state === "ended" ? state : null;
      case "rotate: 201":
        return state === "usable" ? "ended" : null;
      case "rotate with overlap: 201":
        return state === "usable" ? "overlapping" : null;
      case "rotate: conflict":
      case "rotate with overlap: conflict":
        return state === "overlapping" || state === "ended" ? state : null;
      case "revoke: 204":
        return state === "absent" ? null : "ended";
      case "disconnect: 204":
        return state === "absent" ? state : "ended";
      case "disconnect: not_found":
        return works ? null : state;
      default:
        return null;
    }
  },
  nextUnanswered(state, { kind }) {
    if (kind === "create") return state === "absent" ? "usable" : state;
    if (state === "absent" || kind === "use") return state;
    if (kind === "rotate with overlap") return state === "usable" ? "overlapping" : state;
    // In its overlap it cannot be rotated.
    return kind === "rotate" && state === "overlapping" ? state : "ended";
  },
  observes: ({ kind }) => kind === "use",
};

/** Calls that concern one session. `use` is any request with its access token. */
export interface SessionCall {
  readonly kind: "sign in" | "use" | "refresh" | "log out" | "end others";
}

type SessionState = "absent" | "open" | "ended";

/**
 * A session (SESS-3, SESS-4, SESS-8). Refreshing leaves its refresh token valid. Ending it holds on every instance from the answer
 * on, and only one request can end it with its own access token.
 */
export const sessionModel: Model<SessionState, SessionCall, string> = {
  initial: "absent",
  next(state, { kind }, outcome) {
    switch (`${kind}: ${outcome}`) {
      case "sign in: done":
        return state === "absent" ? "open" : null;
      case "use: accepted":
      case "refresh: 200":
        return state === "open" ? state : null;
      case "log out: 204":
        return state === "open" ? "ended" : null;
      case "use: token_revoked":
      case "refresh: token_revoked":
      case "log out: token_revoked":
        return state === "ended" ? state : null;
      case "end others: 204":
        return state === "absent" ? state : "ended";
      default:
        return null;
    }
  },
  nextUnanswered(state, { kind }) {
    if (kind === "sign in") return state === "absent" ? "open" : state;
    return state === "open" && (kind === "log out" || kind === "end others") ? "ended" : state;
  },
  observes: ({ kind }) => kind === "use" || kind === "refresh",
};

/** Calls that concern one connection. `need` is a request that only a connected workspace is given. */
export interface ConnectionCall {
  readonly kind: "connect" | "disconnect" | "need";
}

/** A connection (SIGN-5, GRAPH-15): connecting anew is a sign-in, and disconnecting twice is refused. */
export const connectionModel: Model<"connected" | "disconnected", ConnectionCall, string> = {
  initial: "disconnected",
  next(state, { kind }, outcome) {
    switch (`${kind}: ${outcome}`) {
      case "connect: done":
        return "connected";
      case "disconnect: 204":
        return state === "connected" ? "disconnected" : null;
      case "need: accepted":
        return state === "connected" ? state : null;
      case "disconnect: not_found":
      case "need: refused":
        return state === "disconnected" ? state : null;
      default:
        return null;
    }
  },
  nextUnanswered(state, { kind }) {
    if (kind === "need") return state;
    return kind === "connect" ? "connected" : "disconnected";
  },
  observes: ({ kind }) => kind === "need",
};

/** Calls that concern the text of one page. Versions are numbers that grow. */
export type PageCall =
  /** Writes a version at the provider. */
  | { readonly kind: "edit"; readonly version: number }
  /** From the call of an accepted request for a sync until the sync is seen to have ended. */
  | { readonly kind: "sync" }
  /** The moment after that. */
  | { readonly kind: "served" }
  | { readonly kind: "read" };

interface PageState {
  /** The version at the provider. */
  readonly edited: number;
  /** The version that a requested sync has to find at least. */
  readonly promised: number;
  /** The version that was seen last. */
  readonly shown: number;
}

/**
 * The text of a page (SYNC-9, OPS-8). Reads may be late, as long as no sync is asked for: they show any version from the one that was
 * seen last, on whatever instance, to the latest edit. A request for a sync is served by one that lists after the request, so from
 * its end on no read is older than the edits before the request. One client asks for syncs, one request at a time: else a promise
 * to one would be one to the other.
 */
export const pageModel: Model<PageState, PageCall, number> = {
  initial: { edited: 0, promised: 0, shown: 0 },
  next(state, call, outcome) {
    switch (call.kind) {
      case "edit":
        return { ...state, edited: call.version };
      case "sync":
        return { ...state, promised: state.edited };
      case "served":
        return { ...state, shown: Math.max(state.shown, state.promised) };
      case "read":
        return state.shown <= outcome && outcome <= state.edited ? { ...state, shown: outcome } : null;
    }
  },
  nextUnanswered: (state, call) => (call.kind === "edit" ? { ...state, edited: call.version } : state),
  observes: ({ kind }) => kind === "read",
};

/** A call of an instance to the provider in a sync: the first one of a sync, one that takes a sync over, or any other. */
export interface ReaderCall {
  readonly kind: "begin" | "take over" | "go on";
  readonly by: string;
}

/** The syncs of a connection (SYNC-9): one at a time, so an instance that goes on is the one that began last. */
export const readerModel: Model<string, ReaderCall, string> = {
  initial: "",
  next(state, { kind, by }) {
    return kind !== "go on" || state === by ? by : null;
  },
  nextUnanswered: (_, { by }) => by,
  observes: ({ kind }) => kind === "go on",
};
