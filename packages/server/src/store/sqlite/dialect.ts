import type { Dialect } from "../dialect.ts";
import { databaseExists, openDatabase, openExclusively, openReader } from "./database.ts";
import { deleteTextIndex, openTextReader, openTextWriter } from "./texts.ts";

/** A location is the path of a file. */
export const sqlite: Dialect = {
  databaseExists,
  openDatabase,
  openExclusively,
  openReader,
  openTextReader,
  openTextWriter,
  deleteTextIndex,
};
