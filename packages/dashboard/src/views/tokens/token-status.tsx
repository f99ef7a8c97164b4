import type { ServiceToken } from "@clew/client";
import { Pill } from "../../ui/pill.tsx";
import { expiringSoon } from "./lists.ts";
import { tokenWords } from "./words.ts";

/** Whether a token works, in a word and a sign. */
export function TokenStatus({ token }: { token: ServiceToken }) {
  const { status, revoked_at } = token;
  if (status === "revoked") return <Pill kind="danger">{tokenWords.status.revoked}</Pill>;
  if (status === "expired") return <Pill kind="quiet">{tokenWords.status.expired}</Pill>;
  if (revoked_at !== null) return <Pill kind="busy">{tokenWords.stopping}</Pill>;
  if (expiringSoon([token], Date.now()).length > 0) return <Pill kind="warn">{tokenWords.expiring}</Pill>;
  return <Pill kind="good">{tokenWords.status.active}</Pill>;
}
