/** Operators of a condition on a column, and whether a value follows. */
export const operators = ["=", "!=", "~", "<", "<=", ">", ">=", "is empty", "is not empty"] as const;
export type Operator = (typeof operators)[number];

export const takesValue = (operator: Operator): boolean => !operator.startsWith("is");

/** A condition as `where` takes it. */
export const conditionOf = (column: string, operator: Operator, value: string): string =>
  takesValue(operator) ? `${column} ${operator} ${value.trim()}` : `${column} ${operator}`;
