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
import type { Profile } from "../profile.ts";
import type { Pool, PooledConnection } from "./pool.ts";

/** Kysely's PostgreSQL dialect on Clew's own pool. `begin` starts its transactions. */
export function postgresDialect(pool: Pool, begin: string): Dialect {
  return {
    createDriver: () => new PostgresDriver(pool, begin),
    createAdapter: () => new ProfiledAdapter(),
    createQueryCompiler: () => new ListCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

class ProfiledAdapter extends PostgresAdapter {
  readonly profile: Profile = { bindsLists: true, locksRows: true };
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

/** Runs each query outside transactions, and each transaction, on a connection of the pool. */
class PostgresDriver implements Driver {
  readonly #pool: Pool;
  readonly #begin: string;

  constructor(pool: Pool, begin: string) {
    this.#pool = pool;
    this.#begin = begin;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(await this.#pool.acquire());
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.pooled.release(!connection.isStuck);
  }

  async beginTransaction({ pooled }: PostgresConnection): Promise<void> {
    await pooled.run(this.#begin);
  }

  async commitTransaction({ pooled }: PostgresConnection): Promise<void> {
    await pooled.run("commit");
  }

  /** Where a rollback fails, the end of the connection undoes the transaction. */
  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.pooled.run("rollback").catch(() => {
      connection.isStuck = true;
    });
  }

  /** The pool is closed by who opened it. */
  async destroy(): Promise<void> {}
}

/** What Kysely holds while it runs a query or a transaction. */
class PostgresConnection implements DatabaseConnection {
  readonly pooled: PooledConnection;
  /** Whether it may be in a transaction still. */
  isStuck = false;

  constructor(pooled: PooledConnection) {
    this.pooled = pooled;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, count } = await this.pooled.query<Row>(sql, parameters);
    return { rows, numAffectedRows: BigInt(count) };
  }

  streamQuery(): never {
    throw new Error("Streaming is not supported: page by key");
  }
}
