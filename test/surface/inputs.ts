import assert from "node:assert/strict";
import * as contract from "@clew/contract";
import type { Send } from "../support/raw-request.ts";
import { allowedMethods, pathOf, type RouteCollector } from "./routes.ts";

/** The part of JSON Schema that Clew's requests use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A route with the schemas of its query and body; null if it declares none. */
export interface Input {
  readonly method: string;
  readonly pattern: string;
  readonly query: Schema | null;
  readonly body: Schema | null;
}

/**
 * Every registered route with its schemas, read from the router, so that new routes are included.
 */
export async function readInputs(
  routes: RouteCollector,
  send: Send,
  nodeId: string,
  workspaceId: string,
): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const pattern of routes.patterns()) {
    for (const method of await allowedMethods(send, pathOf(pattern, nodeId, workspaceId))) {
      // Fastify derives HEAD from GET.
      if (method === "OPTIONS" || method === "HEAD") continue;
      const { schema } = routes.registered(method, pattern);
      inputs.push({ method, pattern, query: resolve(schema?.querystring), body: resolve(schema?.body) });
    }
  }
  return inputs;
}

/** A declared schema. A `$ref` is looked up in the contract. */
function resolve(declared: unknown): Schema | null {
  if (declared === undefined) return null;
  const schema = declared as Schema & { readonly $ref?: string };
  if (schema.$ref === undefined) return schema;
  const known: unknown = Object.values<unknown>(contract).find(
    (each) => typeof each === "object" && each !== null && "$id" in each && each.$id === schema.$ref,
  );
  assert.ok(known, `the contract has no ${schema.$ref}`);
  return known as Schema;
}

/** The required fields of an object schema, each with the test's value for its name. */
export function fittingFields(
  { required = [] }: Schema,
  known: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    required.map((name) => {
      assert.ok(name in known, `say which value of ${name} a request is valid with`);
      return [name, known[name]];
    }),
  );
}
