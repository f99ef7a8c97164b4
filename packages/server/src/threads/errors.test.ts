import assert from "node:assert/strict";
import { test } from "node:test";
import { IndexDamagedError } from "@clew/text-index";
import { endOf, receivedError, sentError, ThreadError } from "@clew/threads";
import { ApiError } from "../model/api-error.ts";
import { DatabaseUnavailableError } from "../model/database-unavailable.ts";
import { unavailableError } from "../store/testing/unavailable.ts";
import { errorsOf } from "./errors.ts";

/** An error as another thread receives it. */
function across(error: unknown, isUnavailable: (error: unknown) => boolean = () => false): Error {
  const errors = errorsOf({ isUnavailable });
  return receivedError(structuredClone(sentError(error, errors)), errors);
}

test("OPS-9: an error of a database that cannot be used says so in another thread", () => {
  const thrown = unavailableError();
  const received = across(thrown, (error) => error === thrown);
  assert.ok(received instanceof DatabaseUnavailableError);
  assert.equal(received.message, thrown.message);
  assert.equal(received.stack, thrown.stack);
  assert.ok(across(new DatabaseUnavailableError("away")) instanceof DatabaseUnavailableError);
});

test("ERR-1: a refusal keeps its code, fields and headers between threads, and its cause for the log", () => {
  const options = {
    errors: [{ path: "?where", message: "must name a column" }],
    headers: { "retry-after": "5" },
    cause: new TypeError("inner", { cause: "innermost" }),
  };
  const received = across(new ApiError("invalid_request", "The condition is wrong.", options));
  assert.ok(received instanceof ApiError);
  assert.equal(received.message, "The condition is wrong.");
  const { code, errors, headers } = received;
  assert.deepEqual(
    { code, errors, headers },
    { code: "invalid_request", errors: options.errors, headers: options.headers },
  );
  assert.ok(received.cause instanceof Error && received.cause.cause instanceof Error);
  assert.deepEqual([received.cause.name, received.cause.message], ["TypeError", "inner"]);
  assert.equal(received.cause.cause.message, "innermost");
});

test("failures of a thread keep their kind in another thread; anything else has failed", () => {
  const failureOf = (error: unknown) => {
    const received = across(error);
    return received instanceof ThreadError ? received.failure : null;
  };
  assert.equal(failureOf(new ThreadError("stale", "replaced")), "stale");
  assert.equal(failureOf(new IndexDamagedError("damaged")), "damaged");
  assert.equal(failureOf(new RangeError("a bug")), "failed");
  assert.equal(failureOf("no error at all"), "failed");
});

test("ERR-4: properties that a driver adds to its errors stay in their thread", () => {
  const connection = "postgres://clew:secret@db/clew";
  const thrown = Object.assign(new TypeError("Invalid URL"), { input: connection });
  for (const error of [across(thrown), across(new Error("outer", { cause: thrown })), endOf(thrown)])
    for (let each: unknown = error; each instanceof Error; each = each.cause)
      assert.equal(JSON.stringify({ ...each, message: each.message }).includes("secret"), false);
});
