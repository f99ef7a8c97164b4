import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ListedNode,
  type Provider,
  ProviderError,
  type SearchEntry,
  type WorkspaceReader,
} from "@clew/provider";
import { cases, describeProvider, type OpenProvider, runCase } from "@clew/provider-contract";
import { openNotion } from "./testing/under-test.ts";

describeProvider("Notion", openNotion);

/** The target with these members instead of its own. */
function overriding<Target extends object>(target: Target, members: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, key) {
      if (Object.hasOwn(members, key)) return Reflect.get(members, key);
      const member = Reflect.get(target, key);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** A provider that is right but for one fault. */
type Fault = (provider: Provider) => Partial<Provider>;

const reading =
  (fault: (reader: WorkspaceReader) => Partial<WorkspaceReader>): Fault =>
  (provider) => ({
    reader(...request) {
      const reader = provider.reader(...request);
      return overriding(reader, fault(reader));
    },
  });

/** A reader whose errors are changed. */
const failing = (change: (error: ProviderError) => unknown): Fault =>
  reading((reader) => {
    const changed = (error: unknown): never => {
      throw error instanceof ProviderError ? change(error) : error;
    };
    return {
      async *search() {
        try {
          yield* reader.search();
        } catch (error) {
          changed(error);
        }
      },
      page: (id) => reader.page(id).catch(changed),
      content: (id) => reader.content(id).catch(changed),
    };
  });

const withCode = (from: ProviderError["code"], to: ProviderError["code"]): Fault =>
  failing((error) => (error.code === from ? new ProviderError(to, error.message) : error));

async function* without(title: string, list: ReturnType<WorkspaceReader["search"]>) {
  for await (const entry of list) if (!("title" in entry) || entry.title !== title) yield entry;
}

/** For each case, by the beginning of its name, a fault that it finds. */
const faults: Readonly<Record<string, Fault>> = {
  "SYNC-1: the search lists": reading((reader) => ({ search: () => without("Journal", reader.search()) })),
  "SYNC-11: a provider that says so": reading((reader) => ({
    async *search(options) {
      const entries: SearchEntry[] = [];
      for await (const entry of reader.search(options)) entries.push(entry);
      yield* options?.few === true ? entries.reverse() : entries;
    },
  })),
  "SYNC-1: a page says which page": reading((reader) => ({
    page: async (id) => ({ ...(await reader.page(id)), parent: { kind: "workspace" } }),
  })),
  "SYNC-1: a database has collections": reading((reader) => ({
    async *rows(...query) {
      for await (const row of reader.rows(...query)) if (!("title" in row) || row.title !== "Mars") yield row;
    },
  })),
  "GRAPH-33": () => ({ pageOfUrl: () => null }),
  "SYNC-2: a text has": reading((reader) => ({
    content: async (id) => ({ ...(await reader.content(id)), markdown: "" }),
  })),
  "SYNC-2, GRAPH-24": reading((reader) => ({
    async content(id) {
      const content = await reader.content(id);
      const references = content.references.map((reference) => ({
        ...reference,
        offsets: reference.offsets?.map((offset) => offset + 1) ?? [],
      }));
      return { ...content, references };
    },
  })),
  "GRAPH-24: a stored text": reading(({ texts }) => ({
    texts: overriding(texts, { referencesIn: async () => ({ references: [], mentioned: [], children: [] }) }),
  })),
  "SYNC-12": reading(({ texts }) => ({
    texts: overriding(texts, {
      withTitles: async (...given) => ({ ...(await texts.withTitles(...given)), references: [] }),
    }),
  })),
  "SYNC-3: an edit": reading((reader) => ({
    async *search() {
      for await (const entry of reader.search())
        yield "updatedAt" in entry ? { ...entry, updatedAt: entry.createdAt } : entry;
    },
  })),
  "SYNC-3: the provider's clock": reading(() => ({ time: () => 0 })),
  "SYNC-7: a removed page": (provider) => {
    const known = new Map<string, ListedNode>();
    return reading((reader) => ({
      async *search() {
        for await (const entry of reader.search()) {
          if (entry.type === "page") known.set(entry.id, entry);
          else yield entry;
        }
        yield* known.values();
      },
    }))(provider);
  },
  "SYNC-7: a page that cannot be asked": failing(() => new ProviderError("not_found", "It is gone")),
  "SYNC-5: an answer that makes no sense": reading((reader) => ({
    async *search() {
      try {
        yield* reader.search();
      } catch {
        // As if the workspace were empty.
      }
    },
  })),
  "SYNC-5: a provider that is down": withCode("unavailable", "malformed"),
  "SYNC-8": withCode("unauthorized", "unavailable"),
  "SYNC-4: a rate limit is waited for": (provider) => ({
    reader: (token, { onWait: _, ...options } = {}) => provider.reader(token, options),
  }),
  "SYNC-4: a rate limit that does not end": failing(
    (error) => new ProviderError(error.code, error.message, { retryAfter: null }),
  ),
  "SYNC-6": (provider) => ({
    reader: (token, { signal: _, ...options } = {}) => provider.reader(token, options),
  }),
  "SYNC-5: no error shows": (provider) => ({
    reader(token, options) {
      const leak = failing((error) => new ProviderError(error.code, `${error.message} for ${token}`));
      return leak(provider).reader?.(token, options) ?? provider.reader(token, options);
    },
  }),
  "SRC-4: a reader that does not ask for tags": reading((reader) => ({
    async *search() {
      for await (const entry of reader.search())
        yield entry.type === "page" ? { ...entry, type: "tag" as const } : entry;
    },
  })),
  "SRC-4: a tag is listed": () => ({ hasTags: true }),
  "SIGN-1": (provider) => ({
    authorizationUrl: (request) => provider.authorizationUrl({ ...request, state: "" }),
  }),
  "SIGN-4": (provider) => ({
    exchange: (request) =>
      provider.exchange(request).catch((error: Error) => {
        throw new ProviderError("unavailable", error.message);
      }),
  }),
  "SYNC-9": ({ webhooks }) => ({
    webhooks: overriding(webhooks, { event: (body) => JSON.parse(new TextDecoder().decode(body)) }),
  }),
};

const openWrong =
  (fault: Fault): OpenProvider =>
  async (sample) => {
    const under = await openNotion(sample);
    return { ...under, provider: overriding(under.provider, fault(under.provider)) };
  };

test("SYNC-5: each case of the contract finds a provider that breaks its rule", async () => {
  for (const one of cases) {
    const [name, fault] = Object.entries(faults).find(([start]) => one.name.startsWith(start)) ?? [];
    assert.ok(fault, `no wrong provider for ${one.name}`);
    await assert.rejects(runCase(one, openWrong(fault)), `${name} was not found`);
  }
  assert.equal(cases.length, Object.keys(faults).length);
});
