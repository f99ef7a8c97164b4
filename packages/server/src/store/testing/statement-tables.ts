/*
 * Reads which tables a `select` touches, and which of their columns it fixes: compares with a parameter or a literal, by
 * `=` or `in`, directly or through equal columns of a join. It understands the statements of this store, and refuses
 * others.
 */

/** A table that a statement reads. */
interface TableUse {
  readonly table: string;
  /** The columns that have one of the statement's own values in every row that it reads. */
  readonly fixed: ReadonlySet<string>;
}

/** The columns of each table. */
export type Columns = Readonly<Record<string, readonly string[]>>;

/** Every use of a table, subqueries included. Throws if the statement is not understood. */
export function tablesOf(sql: string, columns: Columns): readonly TableUse[] {
  const statement = parse(sql);
  if (!isSelect(statement)) throw new Error(`not a select: ${sql}`);
  return usesIn(statement, null, columns);
}

/** A word, an operator or a literal; a list is what stands in parentheses. */
type Token = string | readonly Token[];

const pattern =
  /\s+|--[^\n]*|("[^"]+"|`[^`]+`|x?'(?:[^']|'')*'|\$\d+|[\w]+|<>|!=|<=|>=|\|\||::|[(),.=<>?*+\-/;])/gy;

function parse(sql: string): readonly Token[] {
  const root: Token[] = [];
  const open: Token[][] = [root];
  let end = 0;
  for (const match of sql.matchAll(pattern)) {
    end = match.index + match[0].length;
    const [, token] = match;
    if (token === undefined || token === ";") continue;
    if (token === "(") {
      const list: Token[] = [];
      open.at(-1)?.push(list);
      open.push(list);
    } else if (token === ")") open.pop();
    else open.at(-1)?.push(/^["`]/.test(token) ? token.slice(1, -1) : token);
  }
  if (end !== sql.length || open.length !== 1) throw new Error(`not understood at ${end}: ${sql}`);
  return root;
}

const isWord = (token: Token | undefined, ...words: readonly string[]) =>
  typeof token === "string" && words.includes(token.toLowerCase());

const isSelect = (tokens: readonly Token[]) => isWord(tokens[0], "select");

/** One `select` without its subqueries. */
interface Scope {
  readonly outer: Scope | null;
  /** The tables by their aliases; null for a subquery in their place. */
  readonly tables: ReadonlyMap<string, string | null>;
  /** Columns and values that are equal, as `alias.column`; `value` stands for any value of the statement. */
  readonly equal: readonly (readonly [string, string])[];
}

const value = "value";

/** The words that end a part of a statement. */
const clauses = ["select", "from", "where", "group", "having", "order", "limit", "offset", "union"];

function usesIn(tokens: readonly Token[], outer: Scope | null, columns: Columns): readonly TableUse[] {
  const parts = splitAt(tokens, "union");
  if (parts.length > 1)
    return parts.flatMap((part) => usesIn(isWord(part[0], "all") ? part.slice(1) : part, outer, columns));
  const from = clauseOf(tokens, "from");
  const { tables, conditions } = tablesAndConditions(from);
  const unresolved: Scope = { outer, tables, equal: [] };
  const equal = [...conditions, clauseOf(tokens, "where")].flatMap((condition) =>
    equalitiesOf(condition, unresolved, columns),
  );
  const scope: Scope = { ...unresolved, equal };
  const own = [...tables].flatMap(([alias, table]) =>
    table === null
      ? []
      : [
          {
            table,
            fixed: new Set((columns[table] ?? []).filter((column) => isFixed(`${alias}.${column}`, scope))),
          },
        ],
  );
  return [...own, ...subqueriesOf(tokens).flatMap((subquery) => usesIn(subquery, scope, columns))];
}

/** The subqueries at any depth of parentheses, but not those within subqueries. */
function subqueriesOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  return tokens.flatMap((token) => {
    if (typeof token === "string") return [];
    return isSelect(token) ? [token] : subqueriesOf(token);
  });
}

function splitAt(tokens: readonly Token[], ...words: readonly string[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (isWord(token, ...words)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** The tokens from a word to the next clause. */
function clauseOf(tokens: readonly Token[], word: string): readonly Token[] {
  const start = tokens.findIndex((token) => isWord(token, word));
  if (start < 0) return [];
  const rest = tokens.slice(start + 1);
  const end = rest.findIndex((token) => isWord(token, ...clauses));
  return end < 0 ? rest : rest.slice(0, end);
}

function tablesAndConditions(from: readonly Token[]) {
  const tables = new Map<string, string | null>();
  const conditions: (readonly Token[])[] = [];
  for (const item of splitAt(from, "join", ",")) {
    const [source, ...condition] = splitAt(item, "on");
    const [table, ...rest] = (source ?? []).filter(
      (token) => !isWord(token, "inner", "left", "outer", "cross", "as"),
    );
    if (table === undefined) continue;
    const name = typeof table === "string" ? table : null;
    const alias = rest[0] ?? name ?? `subquery ${tables.size}`;
    if (typeof alias !== "string" || rest.length > 1)
      throw new Error(`not understood: from ${JSON.stringify(item)}`);
    tables.set(alias, name);
    conditions.push(...condition);
  }
  return { tables, conditions };
}

/** The equalities that hold in every row: those joined by `and`, at the top of a condition. */
function equalitiesOf(
  condition: readonly Token[],
  scope: Scope,
  columns: Columns,
): readonly (readonly [string, string])[] {
  if (condition.some((token) => isWord(token, "or"))) return [];
  return conjunctsOf(condition).flatMap((conjunct) => {
    const [only] = conjunct;
    if (conjunct.length === 1 && only !== undefined && typeof only !== "string")
      return isSelect(only) ? [] : equalitiesOf(only, scope, columns);
    const sides = splitAt(conjunct, "=", "in");
    if (sides.length !== 2) return [];
    const [left, right] = sides.map((side) => operandOf(side, scope, columns));
    return left == null || right == null ? [] : [[left, right] as const];
  });
}

/** Splits at `and`, but not at that of `between`. */
function conjunctsOf(condition: readonly Token[]): readonly (readonly Token[])[] {
  const conjuncts: Token[][] = [[]];
  let isBetween = false;
  for (const token of condition) {
    if (isWord(token, "and") && !isBetween) conjuncts.push([]);
    else conjuncts.at(-1)?.push(token);
    if (isWord(token, "between")) isBetween = true;
    else if (isWord(token, "and")) isBetween = false;
  }
  return conjuncts;
}

const isValue = (token: Token) => typeof token === "string" && /^(?:\?|\$\d+|\d+|x?'.*')$/.test(token);

/** A column as `alias.column`, `value`, or null for anything else. */
function operandOf(tokens: readonly Token[], scope: Scope, columns: Columns): string | null {
  const [first, second, third] = tokens;
  if (first === undefined) return null;
  if (tokens.length === 1 && typeof first !== "string")
    return first.length > 0 && first.every((token) => token === "," || isValue(token)) ? value : null;
  if (tokens.length === 1 && isValue(first)) return value;
  // PostgreSQL's `= any ($1)`.
  if (tokens.length === 2 && isWord(first, "any") && Array.isArray(second) && second.every(isValue))
    return value;
  if (tokens.length === 3 && second === "." && typeof first === "string" && typeof third === "string")
    return `${first}.${third}`;
  return tokens.length === 1 && typeof first === "string" ? resolve(first, scope, columns) : null;
}

/** The table that an unqualified column belongs to, in this `select` or one around it. */
function resolve(column: string, scope: Scope, columns: Columns): string | null {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    for (const [alias, table] of at.tables)
      if (table !== null && columns[table]?.includes(column)) return `${alias}.${column}`;
  }
  return null;
}

function isFixed(column: string, scope: Scope): boolean {
  const reached = new Set([column]);
  for (const known of reached) {
    for (const [left, right] of equalitiesAround(scope)) {
      if (left === known) reached.add(right);
      if (right === known) reached.add(left);
    }
  }
  return reached.has(value);
}

/** Those of a `select` and of those around it: a subquery may use their columns. */
function equalitiesAround(scope: Scope): readonly (readonly [string, string])[] {
  return scope.outer === null ? scope.equal : [...scope.equal, ...equalitiesAround(scope.outer)];
}
