/** The parts of JSON Schema that the reference shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

/** A response, or the body of a request. */
export interface Message {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Message;
  readonly responses: Readonly<Record<string, Message>>;
}

/** The parts of the OpenAPI document that the reference shows. */
export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Message>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

/** One way to an operation: its credentials, with the method and the path that they open. */
export interface Way {
  readonly credentials: "service-token" | "session" | "none";
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly operation: Operation;
}

/** The subject of a page of the reference: an operation with all ways to it, the one for service tokens first. */
export interface Topic {
  readonly id: string;
  readonly title: string;
  readonly ways: readonly [Way, ...Way[]];
}

export interface Group {
  readonly name: string;
  readonly description: string;
  readonly topics: readonly Topic[];
}

/** The end of the id of an operation that sessions have too. */
const sessionEnd = "InSession";

/** The names of groups that hold more than their tag says. */
const groupNames: Readonly<Record<string, string>> = { "Reading with a service token": "Reading the graph" };

/** Returns the id of the topic that an operation belongs to. */
export const topicIdOf = (operationId: string): string =>
  operationId.endsWith(sessionEnd) ? operationId.slice(0, -sessionEnd.length) : operationId;

/** Makes a title of an id: `listRecentChanges` becomes "List recent changes". */
function titleOf(id: string): string {
  const words = id.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function credentialsOf({ security }: Operation): Way["credentials"] {
  const [kind] = Object.keys(security[0] ?? {});
  if (kind === undefined) return "none";
  return kind === "session" ? "session" : "service-token";
}

/** Groups the operations of a document by their tags. An operation that two audiences have is one topic, in the group of the first. */
export function groupsOf({ paths, tags }: Document): Group[] {
  const ways = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Way => ({
        credentials: credentialsOf(operation),
        method: method.toUpperCase(),
        path,
        operation,
      }),
    ),
  );
  const byTopic = Map.groupBy(ways, ({ operation }) => topicIdOf(operation.operationId));
  const topics = [...byTopic].map(([id, all]): Topic => {
    const [first, ...others] = all.toSorted(
      (one, other) => Number(one.operation.operationId !== id) - Number(other.operation.operationId !== id),
    );
    if (first === undefined) throw new Error(`no operation is called ${id}`);
    return { id, title: titleOf(id), ways: [first, ...others] };
  });
  return tags
    .map(({ name, description }) => ({
      name: groupNames[name] ?? name,
      description,
      topics: topics.filter(({ ways: [first] }) => first.operation.tags[0] === name),
    }))
    .filter(({ topics: own }) => own.length > 0);
}
