import { nameOf, nodeIn, nodesIn, type SyntaxNode } from "./syntax.ts";

/** One change of a source: the text between two positions is replaced. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A node that may be changed. */
export interface Place {
  readonly node: SyntaxNode;
  readonly parent: SyntaxNode | undefined;
  readonly source: string;
}

/** A kind of change: the edits that it makes at a node. */
type Operator = (place: Place) => readonly Edit[];

const comparisons: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
};

const calculations: Readonly<Record<string, string>> = {
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&": "|",
  "|": "&",
  "^": "&",
  "<<": ">>",
  ">>": "<<",
  ">>>": "<<",
  "+=": "-=",
  "-=": "+=",
  "*=": "/=",
  "|=": "&=",
  "++": "--",
  "--": "++",
};

/** Calls of methods that are left out: `list.filter(isOpen)` becomes `list`. */
const dropped = new Set(
  "filter slice sort toSorted reverse toReversed trim toLowerCase flat distinct where whereRef having orderBy limit offset forUpdate onRef".split(
    " ",
  ),
);

/** Methods that another one replaces. */
const replaced: Readonly<Record<string, string>> = {
  some: "every",
  every: "some",
  startsWith: "endsWith",
  endsWith: "startsWith",
  min: "max",
  max: "min",
  innerJoin: "leftJoin",
  leftJoin: "innerJoin",
};

/** Operators of SQL as the query builder takes them, and the two directions of an order. */
const queryWords: Readonly<Record<string, string>> = {
  "=": "!=",
  "!=": "=",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  is: "is not",
  "is not": "is",
  in: "not in",
  "not in": "in",
  asc: "desc",
  desc: "asc",
};

/** Words and signs in the text of a statement. A sign stands between spaces. */
const statementWords =
  /(?<= )(and|or|asc|desc|is not null|is null|<=|>=|<>|<|>|=|not in|in|not exists|exists|min|max)(?=[ (]|$)/gim;
const statementChanges: Readonly<Record<string, string>> = {
  ...queryWords,
  and: "or",
  or: "and",
  "is null": "is not null",
  "is not null": "is null",
  "=": "<>",
  "<>": "=",
  exists: "not exists",
  "not exists": "exists",
  min: "max",
  max: "min",
};

const whole = ({ start, end }: SyntaxNode, text: string): readonly Edit[] => [{ start, end, text }];

const textOf = ({ source }: Place, { start, end }: SyntaxNode) => source.slice(start, end);

/** Replaces the operator that stands after `left`. */
function operatorAfter(place: Place, left: SyntaxNode, from: string, to: string): readonly Edit[] {
  const start = place.source.indexOf(from, left.end);
  return [{ start, end: start + from.length, text: to }];
}

const isText = (node: SyntaxNode | undefined): boolean =>
  node?.type === "TemplateLiteral" ||
  typeof node?.value === "string" ||
  (node?.type === "BinaryExpression" && (isText(nodeIn(node, "left")) || isText(nodeIn(node, "right"))));

const calledMethod = (node: SyntaxNode): SyntaxNode | undefined => {
  const callee = node.type === "CallExpression" ? nodeIn(node, "callee") : undefined;
  return callee?.type === "MemberExpression" && callee.computed === false ? callee : undefined;
};

/** Conditions whose negation is a change of their own operator. */
const isNegatedElsewhere = (test: SyntaxNode) =>
  (test.type === "UnaryExpression" && test.operator === "!") ||
  (test.type === "BinaryExpression" && (test.operator === "===" || test.operator === "!=="));

const removable = new Set([
  "CallExpression",
  "AwaitExpression",
  "AssignmentExpression",
  "UpdateExpression",
  "YieldExpression",
]);

/** Nodes that give a result, and the field that has it. */
const resultFields: Readonly<Record<string, string>> = {
  ReturnStatement: "argument",
  ArrowFunctionExpression: "body",
};

const isSuperCall = (node: SyntaxNode) => nodeIn(node, "callee")?.type === "Super";

/** The kinds of change by name. */
export const operators: Readonly<Record<string, Operator>> = {
  "condition negated": (place) => {
    const { node } = place;
    const test = nodeIn(node, "test");
    if (test === undefined) return [];
    if (node.type === "WhileStatement" || node.type === "ForStatement") return whole(test, "false");
    if (node.type !== "IfStatement" && node.type !== "ConditionalExpression") return [];
    return isNegatedElsewhere(test) ? [] : whole(test, `!(${textOf(place, test)})`);
  },
  "negation removed": (place) => {
    const argument = nodeIn(place.node, "argument");
    if (place.node.type !== "UnaryExpression" || argument === undefined) return [];
    return place.node.operator === "!" || place.node.operator === "-"
      ? whole(place.node, ` ${textOf(place, argument)}`)
      : [];
  },
  "comparison changed": (place) => {
    const { operator } = place.node;
    const left = nodeIn(place.node, "left");
    if (place.node.type !== "BinaryExpression" || typeof operator !== "string" || !left) return [];
    const other = comparisons[operator];
    return other === undefined ? [] : operatorAfter(place, left, operator, other);
  },
  "logic changed": (place) => {
    const { operator } = place.node;
    const left = nodeIn(place.node, "left");
    if (place.node.type !== "LogicalExpression" || left === undefined) return [];
    if (operator === "??") return whole(place.node, `(${textOf(place, left)})`);
    return operatorAfter(place, left, String(operator), operator === "&&" ? "||" : "&&");
  },
  "calculation changed": (place) => {
    const { type, operator, prefix } = place.node;
    const other = typeof operator === "string" ? calculations[operator] : undefined;
    if (other === undefined) return [];
    if (type === "UpdateExpression") {
      const { start, end } = place.node;
      const at = prefix === true ? start : end - 2;
      return [{ start: at, end: at + 2, text: other }];
    }
    const left = nodeIn(place.node, "left");
    if (left === undefined || isText(left) || isText(nodeIn(place.node, "right"))) return [];
    return operatorAfter(place, left, String(operator), other);
  },
  "value changed": ({ node, parent }) => {
    if (node.type !== "Literal") return [];
    const { value } = node;
    if (typeof value === "boolean") return whole(node, String(!value));
    if (typeof value === "number") return whole(node, String(value + 1));
    if (typeof value !== "string") return [];
    // A member's name, or a directive.
    if (parent?.type === "ExpressionStatement") return [];
    if (parent?.type === "Property" && nodeIn(parent, "key") === node) return [];
    const other = queryWords[value];
    if (other !== undefined) return whole(node, JSON.stringify(other));
    // Texts for people.
    if (/\s/.test(value)) return [];
    return whole(node, value === "" ? '"changed"' : '""');
  },
  "text emptied": ({ node, parent }) => {
    if (node.type !== "TemplateLiteral" || parent?.type === "TaggedTemplateExpression") return [];
    const parts = nodesIn(node, "quasis").map((part) => String((part.value as { raw?: string }).raw));
    return parts.some((part) => /\s/.test(part)) ? [] : whole(node, '""');
  },
  "list emptied": ({ node }) =>
    node.type === "ArrayExpression" && nodesIn(node, "elements").length > 0 ? whole(node, "[]") : [],
  "statement removed": ({ node }) => {
    const expression = node.type === "ExpressionStatement" ? nodeIn(node, "expression") : undefined;
    if (expression !== undefined)
      return removable.has(expression.type) && !isSuperCall(expression) ? whole(node, ";") : [];
    if (node.type === "ThrowStatement" || node.type === "ContinueStatement") return whole(node, ";");
    return node.type === "ReturnStatement" && nodeIn(node, "argument") === undefined ? whole(node, ";") : [];
  },
  "result removed": ({ node }) => {
    const field = resultFields[node.type];
    const result = field === undefined ? undefined : nodeIn(node, field);
    if (result === undefined || result.type === "BlockStatement") return [];
    const isNothing = result.value === null || nameOf(result) === "undefined";
    return isNothing ? [] : whole(result, "undefined");
  },
  "optional chain removed": (place) => {
    const { node } = place;
    if (node.optional !== true) return [];
    const base = nodeIn(node, "object") ?? nodeIn(node, "callee");
    if (base === undefined) return [];
    const isName = node.type === "MemberExpression" && node.computed === false;
    return operatorAfter(place, base, "?.", isName ? "." : "");
  },
  "default removed": ({ node }) => {
    const left = nodeIn(node, "left");
    const isDefault = node.type === "AssignmentPattern" && left !== undefined;
    return isDefault ? [{ start: left.end, end: node.end, text: "" }] : [];
  },
  "method changed": (place) => {
    const callee = calledMethod(place.node);
    const object = callee && nodeIn(callee, "object");
    const property = callee && nodeIn(callee, "property");
    const name = nameOf(property);
    if (!object || !property || name === undefined) return [];
    if (dropped.has(name)) return [{ start: object.end, end: place.node.end, text: "" }];
    const other = Object.hasOwn(replaced, name) ? replaced[name] : undefined;
    return other === undefined ? [] : whole(property, other);
  },
  "statement of SQL changed": ({ node, source }) => {
    const tag = node.type === "TaggedTemplateExpression" ? nodeIn(node, "tag") : undefined;
    if (nameOf(tag) !== "sql") return [];
    const quasi = nodeIn(node, "quasi");
    return nodesIn(quasi ?? node, "quasis").flatMap((part) => {
      const { raw } = part.value as { raw: string };
      // The part begins with the sign before its text.
      const begin = source.indexOf(raw, part.start);
      return [...raw.matchAll(statementWords)].flatMap(({ index, 0: word }) => {
        const other = statementChanges[word.toLowerCase()];
        return other === undefined
          ? []
          : [{ start: begin + index, end: begin + index + word.length, text: other }];
      });
    });
  },
};
