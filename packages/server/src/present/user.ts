import type { Me } from "@clew/contract";
import type { User } from "../model/caller.ts";
import type { Connection } from "../model/connection.ts";
import { presentConnection } from "./connection.ts";
import { presentLink } from "./link.ts";
import { presentTimestamp } from "./timestamp.ts";

/** A user as they see themselves, with the workspaces that they are connected to (SESS-6). */
export function presentMe(user: User, connections: readonly Connection[]): Me {
  return {
    id: user.id,
    provider: user.provider,
    name: user.name,
    email: user.email,
    avatar_url: presentLink(user.avatarUrl),
    created_at: presentTimestamp(user.createdAt),
    last_sign_in_at: presentTimestamp(user.lastSignInAt),
    workspaces: connections.map(presentConnection),
  };
}
