import { type Static, Type } from "typebox";
import { closed, named, nullable, oneOf, ref, Timestamp } from "./schema.ts";
import { Scope, ServiceToken } from "./service-token.ts";

/** The time for which a connected app may be allowed to read, in days (APP-4). */
export const appLifetimeDays = { minimum: 1, maximum: 365, standard: 30 } as const;

/** The parameter of the dashboard's consent view, and of the start of a sign-in that leads back to it. */
export const connectParameter = "request";

/** The way in which Clew knows a client: from its own list, by the client's document, or by a registration (APP-3). */
export const clientKinds = ["built_in", "document", "registered"] as const;

/** A workspace that the person may let an app read. */
const OfferedWorkspace = Type.Object({
  id: Type.String(),
  name: nullable(Type.String()),
  icon: nullable(Type.String()),
  status: oneOf(["active", "needs_reauth"]),
});

/** `GET /api/apps/requests/<id>/`: a program's request to be connected, for the person who decides (APP-4). */
export const AppRequest = named(
  "AppRequest",
  Type.Object({
    expires_at: Timestamp,
    client: Type.Object({
      name: Type.String({ description: "The name that the program gives itself. It is not verified" }),
      kind: oneOf(clientKinds),
      host: nullable(Type.String({ description: "The host of its document; null without one" })),
    }),
    redirect: Type.Object({
      host: Type.String({
        description: "The host, or the scheme with its colon, to which the browser is sent with the code",
      }),
      is_loopback: Type.Boolean({ description: "Whether that is a program on the person's own machine" }),
      uri: Type.String({ description: "The whole address" }),
    }),
    resource: Type.String({ description: "The URL that the token will open" }),
    scopes: Type.Array(Scope, { description: "The scopes that the program asks for" }),
    workspaces: Type.Array(OfferedWorkspace, { description: "Those that the person is connected to" }),
    limit_reached: Type.Boolean({
      description: "Whether all ten usable tokens are taken, so that one has to be ended",
    }),
    usable_tokens: Type.Array(ref(ServiceToken), {
      description: "The person's usable tokens if the limit is reached, otherwise empty",
    }),
    earlier_token: nullable(
      Type.Unsafe<ServiceToken>({
        ...ref(ServiceToken),
        description: "The latest usable token of the same program, to be ended if it is not needed any more",
      }),
    ),
    redirect_to: nullable(
      Type.String({
        description:
          "Set if Clew refuses the request: the address at which the program learns why. The person decides whether to go there",
      }),
    ),
  }),
);
export type AppRequest = Static<typeof AppRequest>;

/** `POST /api/apps/requests/<id>/approve/`. */
export const AppApproval = named(
  "AppApproval",
  closed({
    scopes: Type.Array(Scope, { minItems: 1, description: "None but those that the program asks for" }),
    workspace_ids: Type.Array(Type.String(), { minItems: 1 }),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: appLifetimeDays.minimum,
        maximum: appLifetimeDays.maximum,
        default: appLifetimeDays.standard,
        description: "Days until the program has to ask again",
      }),
    ),
    end_token_id: Type.Optional(
      Type.Unsafe<number | null>({
        type: ["integer", "null"],
        minimum: 1,
        description: "A token of the person's that is ended first",
      }),
    ),
  }),
);
export type AppApproval = Static<typeof AppApproval>;

/** The address to which the browser goes after the decision: back to the program, with a code or an error. */
export const AppDecision = named("AppDecision", Type.Object({ redirect_to: Type.String() }));
export type AppDecision = Static<typeof AppDecision>;
