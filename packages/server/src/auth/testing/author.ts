import type { Author, Origin } from "../../model/author.ts";
import type { SessionCaller } from "../../model/caller.ts";

export const somewhere: Origin = { address: "192.0.2.7", userAgent: "A browser" };

/** Somebody who is known by their access token, at a browser. */
export const authorOf = ({ userId, sessionId }: Pick<SessionCaller, "userId" | "sessionId">): Author => ({
  userId,
  sessionId,
  ...somewhere,
});
