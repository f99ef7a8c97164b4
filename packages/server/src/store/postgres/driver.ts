import {
  type BinaryOperationNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  OperatorNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type QueryResult,
} from "kysely";
import type { Profile } from "../queries/profile.ts";
import type { Pool, PooledConnection } from "./pool.ts";

/** How a handle's transactions begin. */
export interface Begin {
  readonly statement: string;
  /** Whether they only read: then their end need not be waited for. */
  readonly reads: boolean;
  /** Sees the rows of the last statement, and throws if the transaction must not go on. */
  readonly check?: (rows: readonly unknown[]) => void;
}

/** Kysely's PostgreSQL dialect on Clew's own pool. */
export function postgresDialect(pool: Pool, begin: Begin): Dialect {
  return {
    createDriver: () => new PostgresDriver(pool, begin),
    createAdapter: () => new ProfiledAdapter(),
    createQueryCompiler: () => new ListCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

class ProfiledAdapter extends PostgresAdapter {
  readonly profile: Profile = {
    bindsLists: true,
    locksRows: true,
    sharesReads: true,
    marksChanges: true,
  };
}

const comparedWithArray: Readonly<Record<string, string>> = { in: "= any", "not in": "<> all" };

/** Binds the list of an `in` as one array: its length does not change the statement, and it may be empty. */
class ListCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node;
    const comparison = OperatorNode.is(operator) ? comparedWithArray[operator.operator] : undefined;
    if (comparison === undefined || !PrimitiveValueListNode.is(rightOperand)) {
      super.visitBinaryOperation(node);
    } else {
      this.visitNode(leftOperand);
      this.append(` ${comparison}(`);
      this.appendValue(rightOperand.values);
      this.append(")");
    }
  }
}

/** Runs queries outside transactions on shared connections of the pool, and each transaction on one of its own. */
class PostgresDriver implements Driver {
  readonly #pool: Pool;
  readonly #begin: Begin;

  constructor(pool: Pool, begin: Begin) {
    this.#pool = pool;
    this.#begin = begin;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(this.#pool);
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  async beginTransaction(connection: PostgresConnection): Promise<void> {
    await connection.begin(this.#begin);
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    const committed = connection.commit();
    if (!this.#begin.reads) await committed;
    else committed.catch(() => {});
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.rollback();
  }

  /** The pool is closed by who opened it. */
  async destroy(): Promise<void> {}
}

/** The connection that Kysely holds while it runs a query or a transaction. */
class PostgresConnection implements DatabaseConnection {
  readonly #pool: Pool;
  /** The connection of a transaction, and the answer to its beginning. */
  #transaction: { readonly pooled: PooledConnection; readonly begun: Promise<void> } | null = null;
  /** Whether it may be in a transaction still. */
  #isStuck = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Does not wait for the answer: the first statement is sent with it. */
  async begin({ statement, check = () => {} }: Begin): Promise<void> {
    const pooled = await this.#pool.acquire();
    pooled.sendTogether();
    const begun = pooled.run(statement).then(check);
    // Later statements wait for it, and get its error.
    begun.catch(() => {});
    this.#transaction = { pooled, begun };
  }

  /** Sends the end at once, also if the beginning has no answer yet. */
  async commit(): Promise<void> {
    await Promise.all([this.#transaction?.pooled.run("commit"), this.#transaction?.begun]);
  }

  /** Rolls back. If that fails, the end of the connection undoes the transaction. */
  async rollback(): Promise<void> {
    await this.#transaction?.pooled.run("rollback").catch(() => {
      this.#isStuck = true;
    });
  }

  release(): void {
    this.#transaction?.pooled.release(!this.#isStuck);
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { query } = this.#transaction?.pooled ?? this.#pool;
    const [{ rows, count }] = await Promise.all([query<Row>(sql, parameters), this.#transaction?.begun]);
    return { rows, numAffectedRows: BigInt(count) };
  }

  streamQuery(): never {
    throw new Error("Streaming is not supported: page by key");
  }
}
