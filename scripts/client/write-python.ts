import { type ClientOperation, clientOperations, type OpenApi, type Parameter } from "./write-api.ts";

/** The parts of the Python client that follow from the document, by the names of their blocks. */
export function pythonBlocks(document: OpenApi): Readonly<Record<string, string>> {
  const operations = clientOperations(document).filter(
    ({ path, isGraph }) => isGraph || path.startsWith(servicePath),
  );
  const repeated = operations
    .flatMap(({ parameters = [] }) => parameters)
    .filter(({ schema }) => schema.type === "array")
    .map(({ name }) => `"${name}"`);
  const names = [...new Set(repeated)].sort().join(", ");
  return {
    methods: operations.map(writeMethod).join("\n\n"),
    repeated: `_REPEATED = frozenset(${names === "" ? "" : `{${names}}`})`,
  };
}

const servicePath = "api/v1/";

const keywords = new Set(["from", "is", "in", "not", "and", "or", "with", "as", "class", "import"]);

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const argument = (name: string) => (keywords.has(name) ? `${name}_` : name);

function writeMethod(operation: ClientOperation): string {
  const { operationId, summary, description = "", path, parameters = [] } = operation;
  const name = snakeCase(operationId);
  const required = parameters.filter((parameter) => parameter.required);
  const ordered = [...required, ...parameters.filter((parameter) => !parameter.required)];
  const signature = ordered.map((parameter) => {
    const type = typeOf(parameter);
    const isRequired = parameter.required === true;
    return `        ${argument(parameter.name)}: ${isRequired ? type : `Optional[${type}] = None`},`;
  });
  const filled = path
    .replace(servicePath, "")
    .replaceAll(/\{(\w+)\}/g, (_, id: string) => `{_segment("${id}", ${argument(id)})}`);
  const query = parameters.filter((parameter) => parameter.in === "query");
  const pairs = query.map((parameter) => `                "${parameter.name}": ${argument(parameter.name)},`);
  const target = filled.includes("{") ? `f'${filled}'` : `"${filled}"`;
  const about = [`${summary}.`, ...(description === "" ? [] : ["", ...description.split("\n")])];
  return [
    signature.length === 0 ? `    def ${name}(self) -> Dict[str, Any]:` : `    def ${name}(`,
    ...(signature.length === 0
      ? []
      : ["        self,", "        *,", ...signature, "    ) -> Dict[str, Any]:"]),
    `        """${about.map((line, index) => (index === 0 || line === "" ? line : `        ${line}`)).join("\n")}"""`,
    "        return self._get(",
    `            "${name}",`,
    `            ${target},`,
    ...(pairs.length === 0 ? ["            {},"] : ["            {", ...pairs, "            },"]),
    "        )",
  ].join("\n");
}

function typeOf({ schema, description, in: place }: Parameter): string {
  if (place === "path") return "str";
  if (schema.type === "array" || description?.startsWith("Comma-separated"))
    return "Union[str, Iterable[str]]";
  if (schema.type === "integer") return "int";
  return schema.type === "boolean" ? "bool" : "str";
}
