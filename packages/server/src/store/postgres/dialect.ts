import type { Dialect } from "../dialect.ts";
import { databaseExists, openDatabase, openExclusively, openReader } from "./database.ts";
import { deleteTextIndex, openTextReader, openTextWriter } from "./texts.ts";

/** A location is a URL as `parsePostgresUrl` takes it. */
export const postgres: Dialect = {
  databaseExists,
  openDatabase,
  openExclusively,
  openReader,
  openTextReader,
  openTextWriter,
  deleteTextIndex,
};
