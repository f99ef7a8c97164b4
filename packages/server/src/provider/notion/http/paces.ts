import { createHash } from "node:crypto";
import type { Clock } from "../../../model/runtime.ts";
import { createPace, type Pace, type Sleep } from "./pace.ts";

/** Hands out the pace of each grant, so that one sync after another shares the same budget. */
export function createPaces(parts: {
  requests: number;
  clock: Clock;
  sleep: Sleep;
}): (accessToken: string) => Pace {
  const paces = new Map<string, Pace>();
  return (accessToken) => {
    for (const [grant, pace] of paces) if (pace.isIdle()) paces.delete(grant);
    const grant = createHash("sha256").update(accessToken).digest("base64url");
    const pace = paces.get(grant) ?? createPace(parts);
    paces.set(grant, pace);
    return pace;
  };
}
