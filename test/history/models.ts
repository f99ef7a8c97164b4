import type { Model } from "./linearizability.ts";

/** To which state something leads from each state in which it is possible. */
type Transitions<State extends string> = Readonly<Partial<Record<State, State>>>;

/** A model of a few states. Keys of `answered` are a call and its outcome: a status, or the code of a refusal. */
function modelOf<State extends string, Kind extends string>(parts: {
  readonly initial: State;
  readonly answered: Readonly<Record<`${Kind}: ${string}`, Transitions<State>>>;
  /** The effect of a call whose outcome is unknown, where it changes something. */
  readonly unanswered: Readonly<Partial<Record<Kind, Transitions<State>>>>;
  /** Calls that change nothing. */
  readonly observations: readonly Kind[];
}): Model<State, { readonly kind: Kind }, string> {
  const answered = new Map<string, Transitions<State>>(Object.entries(parts.answered));
  return {
    initial: parts.initial,
    next: (state, { kind }, outcome) => answered.get(`${kind}: ${outcome}`)?.[state] ?? null,
    nextUnanswered: (state, { kind }) => parts.unanswered[kind]?.[state] ?? state,
    observes: ({ kind }) => parts.observations.includes(kind),
  };
}

/** Calls that concern one service token. */
export interface TokenCall {
  readonly kind: "create" | "use" | "rotate" | "rotate with overlap" | "revoke" | "disconnect";
}

/** `absent` until its creation; `overlapping` once a rotation has given it an end that is hours away. */
export type TokenState = "absent" | "usable" | "overlapping" | "ended";

/** The end of a token, wherever it is requested. */
const tokenEnds = { usable: "ended", overlapping: "ended", ended: "ended" } as const;
const tokenRotated = { overlapping: "overlapping", ended: "ended" } as const;

/**
 * A service token (TOK-1, TOK-8, TOK-9, GRAPH-15). Its end holds on every instance from the answer on, so nothing in the model is
 * late. Disconnecting its only workspace ends it.
 */
export const tokenModel = modelOf<TokenState, TokenCall["kind"]>({
  initial: "absent",
  answered: {
    "create: 201": { absent: "usable" },
    "use: 200": { usable: "usable", overlapping: "overlapping" },
    "use: token_revoked": { ended: "ended" },
    "rotate: 201": { usable: "ended" },
    "rotate: conflict": tokenRotated,
    "rotate with overlap: 201": { usable: "overlapping" },
    "rotate with overlap: conflict": tokenRotated,
    "revoke: 204": tokenEnds,
    "disconnect: 204": { absent: "absent", ...tokenEnds },
    "disconnect: not_found": { absent: "absent", ended: "ended" },
  },
  unanswered: {
    create: { absent: "usable" },
    rotate: { usable: "ended" },
    "rotate with overlap": { usable: "overlapping" },
    revoke: tokenEnds,
    disconnect: tokenEnds,
  },
  observations: ["use"],
});

/** Calls that concern one session. `use` is any request with its access token. */
export interface SessionCall {
  readonly kind: "sign in" | "use" | "refresh" | "log out" | "end others";
}

export type SessionState = "absent" | "open" | "ended";

/**
 * A session (SESS-3, SESS-4, SESS-8). Refreshing leaves its refresh token valid. Its end holds on every instance from the answer
 * on, and only one request can end it with its own access token.
 */
export const sessionModel = modelOf<SessionState, SessionCall["kind"]>({
  initial: "absent",
  answered: {
    "sign in: done": { absent: "open" },
    "use: accepted": { open: "open" },
    "use: token_revoked": { ended: "ended" },
    "refresh: 200": { open: "open" },
    "refresh: token_revoked": { ended: "ended" },
    "log out: 204": { open: "ended" },
    "log out: token_revoked": { ended: "ended" },
    "end others: 204": { absent: "absent", open: "ended", ended: "ended" },
  },
  unanswered: {
    "sign in": { absent: "open" },
    "log out": { open: "ended" },
    "end others": { open: "ended" },
  },
  observations: ["use", "refresh"],
});

/** Calls that concern one connection. `need` is a request that only a connected workspace is given. */
export interface ConnectionCall {
  readonly kind: "connect" | "disconnect" | "need";
}

export type ConnectionState = "connected" | "disconnected";

/** A connection (SIGN-5, GRAPH-15): connecting anew is a sign-in, and disconnecting twice is refused. */
export const connectionModel = modelOf<ConnectionState, ConnectionCall["kind"]>({
  initial: "disconnected",
  answered: {
    "connect: done": { connected: "connected", disconnected: "connected" },
    "disconnect: 204": { connected: "disconnected" },
    "disconnect: not_found": { disconnected: "disconnected" },
    "need: accepted": { connected: "connected" },
    "need: refused": { disconnected: "disconnected" },
  },
  unanswered: { connect: { disconnected: "connected" }, disconnect: { connected: "disconnected" } },
  observations: ["need"],
});

/** Calls that concern the text of one page. Versions are numbers that grow. */
export type PageCall =
  /** Writes a version at the provider. */
  | { readonly kind: "edit"; readonly version: number }
  /** From the call of an accepted request for a sync until the sync is seen to have ended. */
  | { readonly kind: "sync" }
  /** The moment after that. */
  | { readonly kind: "served" }
  | { readonly kind: "read" };

export interface PageState {
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

/** The syncs of a connection (SYNC-9): one at a time, so the instance that continues is the one that began last. */
export const readerModel: Model<string, ReaderCall, string> = {
  initial: "",
  next(state, { kind, by }) {
    return kind !== "go on" || state === by ? by : null;
  },
  nextUnanswered: (_, { by }) => by,
  observes: ({ kind }) => kind === "go on",
};
