import type { Actor, Origin, SessionCaller } from "../caller.ts";

export const somewhere: Origin = { address: "192.0.2.7", userAgent: "A browser" };

/** A user identified by an access token, in a browser. */
export const actorOf = ({ userId, sessionId }: Pick<SessionCaller, "userId" | "sessionId">): Actor => ({
  userId,
  sessionId,
  ...somewhere,
});
