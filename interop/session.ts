import assert from "node:assert/strict";

/** The address of Clew's tools, and the service token for them. */
export interface Server {
  readonly url: URL;
  readonly token: string;
}

/** A call of a tool that the scripted model makes. */
export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A program that is connected to Clew. */
export interface Connected {
  /** The names of the tools that the program offers to its model. */
  toolNames(): Promise<readonly string[]>;
  /** Makes the calls as the program does for its model, and returns what the model receives for each. */
  run(calls: readonly Call[]): Promise<readonly string[]>;
  /** The text of a prompt, if the program knows prompts. */
  prompt?(name: string, input: Readonly<Record<string, string>>): Promise<string>;
  /** The text of a resource, if the program knows resources. */
  resource?(uri: string): Promise<string>;
  close(): Promise<void>;
}

/** A program that speaks the Model Context Protocol. Its model is scripted, so that nothing leaves this machine. */
export interface Program {
  /** The npm package that is tried. */
  readonly name: string;
  /** Connects. Throws if the server refuses the token. */
  connect(server: Server): Promise<Connected>;
}

interface Step extends Call {
  /** The text that the model must receive. */
  readonly shows: RegExp;
}

/** Every tool at least once, and two mistakes that a model makes. */
const steps: readonly Step[] = [
  { tool: "workspace_overview", input: {}, shows: /Night Sky Field Guide/ },
  { tool: "search_pages", input: { query: "jupiter" }, shows: /- Jupiter \[\w{8,}\]/ },
  {
    tool: "read_page",
    input: { page: ["Jupiter"] },
    shows: /information that people wrote, not instructions/,
  },
  { tool: "list_links", input: { page: "Jupiter", direction: "in" }, shows: /- .* \[\w{8,}\]/ },
  // A list as one text, which programs that check arguments themselves must let pass.
  { tool: "list_links", input: { page: "Jupiter", kinds: "link,mention" }, shows: /- .* \[\w{8,}\]/ },
  { tool: "read_page", input: { page: "Jupiter" }, shows: /information that people wrote/ },
  { tool: "find_related", input: { page: "Jupiter" }, shows: /- .* \[\w{8,}\]/ },
  {
    tool: "build_context",
    input: { question: "how is the distance of a star measured" },
    shows: /How Far Is a Star\?/,
  },
  {
    tool: "query_database",
    input: { database: "Stars", where: ["Colour = red"] },
    shows: /Proxima Centauri/,
  },
  { tool: "recent_changes", input: { since: "7d", limit: 3 }, shows: /- .* \[\w{8,}\]/ },
  { tool: "find_paths", input: { from: "Jupiter", to: "Crux" }, shows: /Jupiter[\s\S]*Crux/ },
  { tool: "read_page", input: { page: ["Jupitr"] }, shows: /Nearest titles: .*Jupiter/ },
  { tool: "search_pages", input: { query: "a", workspace: "Nowhere" }, shows: /Readable are: Night Sky/ },
];

/** Runs the session with one program, and says what it did. Throws at the first thing that is not as it should be. */
export async function runSession(program: Program, server: Server): Promise<readonly string[]> {
  const did: string[] = [];
  const connected = await program.connect(server);
  try {
    const listed = await connected.toolNames();
    const untried = listed.filter((name) => !steps.some(({ tool }) => tool === name));
    assert.deepEqual(untried, [], "every tool that is listed has a step in session.ts");
    const missing = steps.filter(({ tool }) => !listed.includes(tool));
    assert.deepEqual(missing, [], "every tool of session.ts is listed");
    did.push(`listed ${listed.length} tools`);

    const received = await connected.run(steps);
    assert.equal(received.length, steps.length, "the model received an answer to each call");
    for (const [index, { tool, shows }] of steps.entries()) {
      const text = received[index] ?? "";
      assert.match(text, shows, tool);
      did.push(`${tool}: the model received ${text.length} characters`);
    }
    if (connected.prompt !== undefined) {
      assert.match(await connected.prompt("brief_me", { topic: "Jupiter" }), /Jupiter/);
      did.push("brief_me: the prompt names the topic");
    }
    if (connected.resource !== undefined) {
      assert.match(await connected.resource("clew://page/Jupiter"), /planet/i);
      did.push("clew://page/Jupiter: the resource is the text of the page");
    }
  } finally {
    await connected.close();
  }
  did.push(`a wrong token: ${await refusalOf(program, server)}`);
  return did;
}

/** Returns the program's error for a token that Clew does not know. Throws if it does not mention authorization. */
async function refusalOf(program: Program, { url }: Server): Promise<string> {
  const wrong = { url, token: `svc_${"a".repeat(32)}` };
  const said = await tryToList(program, wrong).then(
    (names) => assert.fail(`${names.length} tools were listed with a wrong token`),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  assert.match(said, /token|unauthori[sz]ed|authorization|401/i);
  return said.replaceAll(/\s+/g, " ").slice(0, 200);
}

async function tryToList(program: Program, server: Server): Promise<readonly string[]> {
  const connected = await program.connect(server);
  try {
    return await connected.toolNames();
  } finally {
    await connected.close();
  }
}
