/** The parameters of a URL, as the router has read them: some texts are numbers. */
type RawParams = Readonly<Record<string, unknown>>;

/** A parameter as a text; undefined if it is missing, blank or repeated. */
export function textParam(raw: RawParams, name: string): string | undefined {
  const value = raw[name];
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}

/** A parameter that is one of these choices; undefined otherwise. */
export const choiceParam = <Choice extends string>(
  raw: RawParams,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => choices.find((each) => each === raw[name]);

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The fields that have a value. */
export function withoutUndefined<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<Fields>;
}
