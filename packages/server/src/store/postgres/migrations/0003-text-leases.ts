import { type Step, statements } from "../../migrate.ts";

/** Which instance indexes the texts of a connection, so that not all of them do. */
export const textLeases: Step = {
  version: 3,
  name: "text leases",
  up: statements(`create table text_leases (
    connection_id int8 primary key,
    worker text collate "C" not null,
    leased_until int8 not null
  )`),
};
