import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { messages } from "./messages.ts";

test("every message of the contract is a valid JSON Schema of draft 2020-12", () => {
  const ajv = new Ajv2020();
  assert.notEqual(messages.length, 0);
  for (const message of messages) assert.equal(ajv.validateSchema(message), true, message.$id);
});
