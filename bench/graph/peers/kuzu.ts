import { Connection, Database } from "kuzu";
import { cypherPeer } from "./cypher.ts";

export const peer = cypherPeer(new Connection(new Database(":memory:")));
