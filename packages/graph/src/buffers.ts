/** The memory of all typed arrays in a structure, each once: what moves when it goes to another thread. */
export function buffersOf(structure: object): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const lookInto = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(lookInto);
  };
  lookInto(structure);
  return [...found];
}
