import { type Static, Type } from "typebox";
import { type GraphOperation, graphOperations } from "./operations.ts";
import { closed, Id, named, nullable, oneOf, ref, Timestamp } from "./schema.ts";

/** The operations that only service tokens have: `token` describes the token, `mcp` is a message of an agent that calls no tool. */
const ownOperations = ["token", "mcp"] as const;

/** An operation under its one name, whether a program calls it over HTTP or an agent by a tool. */
export type ActivityOperation = GraphOperation | (typeof ownOperations)[number];

const operationNames = [...(Object.keys(graphOperations) as GraphOperation[]), ...ownOperations];

/** Limits of what is kept of a token's calls (APP-9). */
export const activityLimits = {
  /** The latest calls that are kept one by one. */
  calls: 500,
  /** Page ids that are kept with a call. */
  nodeIds: 20,
  /** Characters of a call's words. */
  words: 200,
  /** Different pages of a token that are counted. */
  pages: 10_000,
  mostRead: 20,
  /** The days of the list of all tokens. */
  useDays: 7,
} as const;

/** One call with a service token. */
export const ActivityCall = named(
  "ActivityCall",
  Type.Object({
    at: Timestamp,
    operation: {
      ...oneOf<readonly ActivityOperation[]>(operationNames),
      description:
        "The operation, whether it was called over HTTP or by a tool. `mcp`: a message of an agent that calls no tool, such as one that lists them",
    },
    words: nullable(
      Type.String({
        description: `The words that were looked for, or the names of the pages that were asked for, up to ${activityLimits.words} characters. What looks like a credential is masked`,
      }),
    ),
    node_ids: Type.Array(Id, {
      description: `The first ${activityLimits.nodeIds} pages and databases of the answer`,
    }),
    pages: Type.Integer({ description: "The number of pages and databases of the answer" }),
    status: Type.Integer({
      description: "The HTTP status; that of the problem for a call of a tool that failed",
    }),
    ms: Type.Integer({ description: "Milliseconds until the answer was sent" }),
  }),
);
export type ActivityCall = Static<typeof ActivityCall>;

/** Sums over a span of time. */
const sums = {
  calls: Type.Integer(),
  refused: Type.Integer({
    description:
      "Calls that were refused: for their credentials, their scopes, or because there were too many",
  }),
  pages: Type.Integer({
    description: `Different pages and databases that answers had; at most ${activityLimits.pages} are counted`,
  }),
};

const ActivitySums = Type.Object(sums);
export type ActivitySums = Static<typeof ActivitySums>;

/** `GET /api/tokens/<id>/activity/`: what a service token read (APP-9). */
export const TokenActivity = named(
  "TokenActivity",
  Type.Object({
    days: Type.Integer({ description: "For how many days calls are kept; 0 if none are" }),
    ...sums,
    week: { ...ActivitySums, description: "The same of the last 7 days" },
    hours: Type.Array(
      Type.Object({
        at: { ...Timestamp, description: "When the hour begins" },
        operation: oneOf<readonly ActivityOperation[]>(operationNames),
        calls: Type.Integer(),
        refused: Type.Integer(),
      }),
      { description: "Calls by hour and operation, oldest first; hours without calls are left out" },
    ),
    most_read: Type.Array(
      Type.Object({
        node_id: Id,
        reads: Type.Integer({ description: "Answers that had it" }),
        read_at: { ...Timestamp, description: "When the latest of them was sent" },
      }),
      { description: `The pages and databases that most answers had, at most ${activityLimits.mostRead}` },
    ),
    latest: Type.Array(ref(ActivityCall), { description: "The latest calls, newest first" }),
    last_event_id: Type.String({
      description: "As `Last-Event-ID`, it has the events begin after these calls",
    }),
  }),
);
export type TokenActivity = Static<typeof TokenActivity>;

export const TokenActivityQuery = closed({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: activityLimits.calls,
      default: activityLimits.calls,
      description: "How many of the latest calls to return at most",
    }),
  ),
});
export type TokenActivityQuery = Static<typeof TokenActivityQuery>;

/** The data of each event of `GET /api/tokens/<id>/activity/events`. */
export const ActivityEvent = named(
  "ActivityEvent",
  Type.Object({
    calls: Type.Array(ref(ActivityCall), { description: "The calls since the event before, oldest first" }),
    week: { ...ActivitySums, description: "The sums of the last 7 days" },
  }),
);
export type ActivityEvent = Static<typeof ActivityEvent>;

/** `GET /api/tokens/activity/`: how much each of a person's tokens was used lately. */
export const TokenUseList = named(
  "TokenUseList",
  Type.Object({
    items: Type.Array(
      Type.Object({
        token_id: Type.Integer(),
        days: Type.Array(Type.Integer(), {
          description: `Calls in each of the last ${activityLimits.useDays} spans of 24 hours, oldest first`,
        }),
      }),
      { description: "Tokens without a call in that time are left out" },
    ),
  }),
);
export type TokenUseList = Static<typeof TokenUseList>;
