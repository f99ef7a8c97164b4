/** Compiles equal schemas once in a process: many routes have the same ones, and so have several servers. */
export function compileOnce<Compiled>(compile: (schema: unknown) => Compiled): (schema: unknown) => Compiled {
  const compiled = new Map<string, Compiled>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const known = compiled.get(text) ?? compile(schema);
    compiled.set(text, known);
    return known;
  };
}
