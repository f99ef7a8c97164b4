import { Connection, Database } from "@ladybugdb/core";
import { cypherPeer } from "./cypher.ts";

export const peer = cypherPeer(new Connection(new Database(":memory:")));
