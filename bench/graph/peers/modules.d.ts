// Types of the packages that only this benchmark installs, as far as it uses them: types are checked without the packages.

declare module "graphology" {
  export class UndirectedGraph {
    addNode(key: string): void;
    mergeEdge(from: string, to: string): void;
    neighborEntries(key: string): Iterable<{ readonly neighbor: string }>;
  }
}

declare module "graphology-shortest-path" {
  import type { UndirectedGraph } from "graphology";
  export function bidirectional(graph: UndirectedGraph, from: string, to: string): string[] | null;
}

declare module "minisearch" {
  interface Options {
    readonly fields: readonly string[];
    readonly searchOptions: {
      readonly prefix: boolean;
      readonly fuzzy: number | false;
      readonly combineWith: "AND" | "OR";
    };
  }
  export default class MiniSearch {
    constructor(options: Options);
    add(document: { readonly id: number; readonly title: string; readonly body?: string }): void;
    search(query: string, options?: { readonly prefix: boolean }): readonly unknown[];
  }
}

declare module "surrealdb" {
  export class RecordId {
    constructor(table: string, id: number);
  }
  export class Surreal {
    constructor(options: { readonly engines: unknown });
    connect(url: string): Promise<unknown>;
    use(place: { readonly namespace: string; readonly database: string }): Promise<unknown>;
    query(text: string, bindings?: Readonly<Record<string, unknown>>): Promise<unknown[]>;
  }
}

declare module "@surrealdb/node" {
  export function createNodeEngines(): unknown;
}

declare module "@ladybugdb/core" {
  export { Connection, Database } from "kuzu";
}

declare module "kuzu" {
  export class Database {
    constructor(path: string);
  }
  export class Connection {
    constructor(database: Database);
    querySync(text: string): unknown;
    prepareSync(text: string): PreparedStatement;
    executeSync(
      statement: PreparedStatement,
      parameters: Readonly<Record<string, number>>,
    ): { getAllSync(): Readonly<Record<string, unknown>>[]; close(): void };
  }
  interface PreparedStatement {
    isSuccess(): boolean;
  }
}
