import { compactJson } from "./compact-json.ts";
import { type Given, requestUrl } from "./run-request.ts";
import { referenceWords } from "./words.ts";

/** The most bytes of an answer that are read: some answers have the whole graph. */
const mostBytes = 200_000;

/** The most bytes of an answer that are shown where it is no text. */
const mostBinary = 256;

type Credentials = "service-token" | "session" | "none";

/** The beginning of an answer, with what is said about it. */
interface Answer {
  readonly status: number;
  readonly milliseconds: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isWhole: boolean;
  readonly type: string;
}

/**
 * Sends the request of a page's form, and shows its answer. A token that was pasted is a field of this object and nothing
 * else: it is kept in no storage, and goes away with the document.
 */
export class RunPanel {
  #token = "";
  #credentials: Credentials | null = null;
  #running: AbortController | null = null;

  constructor() {
    // A page that the browser keeps for its Back button keeps no token.
    addEventListener("pagehide", () => {
      this.#token = "";
      for (const field of document.querySelectorAll<HTMLInputElement>("[data-token]")) field.value = "";
    });
  }

  /** Serves the form of the present page, if it has one. */
  serve(form: HTMLFormElement | null): void {
    this.#running?.abort();
    if (form === null) return;
    form.hidden = false;
    const token = form.querySelector<HTMLInputElement>("[data-token]");
    if (token !== null) {
      token.value = this.#token;
      token.addEventListener("input", () => {
        this.#token = token.value.trim();
      });
    }
    const kept = form.querySelector<HTMLInputElement>(`[name=way][value="${this.#credentials}"]`);
    if (kept !== null) kept.checked = true;
    const showChoice = () => {
      const { credentials } = choiceOf(form);
      for (const part of form.querySelectorAll<HTMLElement>(".api-token, .api-hint"))
        part.hidden = credentials !== "service-token";
    };
    form.addEventListener("change", () => {
      this.#credentials = choiceOf(form).credentials;
      showChoice();
    });
    showChoice();
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#run(form);
    });
  }

  async #run(form: HTMLFormElement): Promise<void> {
    const { credentials, path } = choiceOf(form);
    const say = sayIn(form);
    const url = requestUrl(clewUrl(), path, givenIn(form));
    if (url === null) return say(referenceWords.otherPath);
    if (credentials === "service-token" && this.#token === "") {
      form.querySelector<HTMLInputElement>("[data-token]")?.focus();
      return say(referenceWords.noToken);
    }
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    say(referenceWords.running);
    try {
      const send = await this.#sender(credentials);
      if (send === null) return say(referenceWords.noSession);
      const accept = form.querySelector<HTMLSelectElement>("[data-accept]")?.value;
      const headers = accept === undefined ? {} : { accept };
      const answer = await ask((init) => send(url, init), { headers, signal: running.signal });
      if (this.#running !== running) return;
      const { status, milliseconds, bytes } = answer;
      say(referenceWords.answered(status, milliseconds, bytes.length), status < 400);
      showAnswer(form, answer);
    } catch {
      if (this.#running === running && !running.signal.aborted) say(referenceWords.unreachable);
    }
  }

  /** Sends requests with the chosen credentials; null if there are none. */
  async #sender(credentials: Credentials): Promise<typeof fetch | null> {
    const plain: typeof fetch = (input, init) => fetch(input, { ...init, cache: "no-store" });
    if (credentials === "none") return plain;
    if (credentials === "service-token") {
      const authorization = `Bearer ${this.#token}`;
      return (input, init) => plain(input, { ...init, headers: { ...init?.headers, authorization } });
    }
    const { SessionKeeper, SessionOver } = await import("../session/keeper.ts");
    const keeper = new SessionKeeper({
      storage: localStorage,
      locks: navigator.locks,
      fetch: (...request) => fetch(...request),
      now: Date.now,
      url: clewUrl(),
    });
    if (keeper.read() === null) return null;
    return async (input, init) => {
      try {
        return await keeper.fetch(input, init);
      } catch (error) {
        if (error instanceof SessionOver) throw new Error(referenceWords.noSession);
        throw error;
      }
    };
  }
}

/** Clew's public URL: the page's base is the documentation, which is right below it. */
const clewUrl = () => new URL("../", document.baseURI);

/** The chosen way. A form whose operation has one alone has it as its only choice. */
function choiceOf(form: HTMLFormElement): { credentials: Credentials; path: string } {
  const chosen = form.querySelector<HTMLInputElement>("[name=way]:checked");
  return { credentials: (chosen?.value ?? "none") as Credentials, path: chosen?.dataset.path ?? "" };
}

/** The values of the fields. A field of several lines has a value in each. */
function givenIn(form: HTMLFormElement): Given[] {
  const fields = form.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
    "[data-name]",
  );
  return [...fields].flatMap((field) => {
    const { name = "", in: place = "" } = field.dataset;
    const values = field instanceof HTMLTextAreaElement ? field.value.split("\n") : [field.value];
    return values
      .map((value) => value.trim())
      .filter((value) => value !== "")
      .map((value) => ({ name, in: place, value }));
  });
}

/** Sends a GET and reads the beginning of its answer. */
async function ask(send: (init: RequestInit) => Promise<Response>, init: RequestInit): Promise<Answer> {
  const startedAt = performance.now();
  const response = await send({
    ...init,
    method: "GET",
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
  });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let isWhole = true;
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.length;
    if (length < mostBytes) continue;
    isWhole = false;
    break;
  }
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  const type = response.headers.get("content-type") ?? "";
  return { status: response.status, milliseconds: performance.now() - startedAt, bytes, isWhole, type };
}

function showAnswer(form: HTMLFormElement, answer: Answer): void {
  const block = form.querySelector<HTMLElement>(".api-result");
  const code = block?.querySelector("code");
  if (!block || !code) return;
  code.textContent = textOf(answer);
  block.hidden = false;
}

function textOf({ bytes, isWhole, type }: Answer): string {
  if (type.startsWith("application/octet-stream")) {
    const shown = bytes.subarray(0, mostBinary);
    const digits = [...shown].map((byte) => byte.toString(16).padStart(2, "0"));
    return `${digits.join(" ")}\n${referenceWords.bytes(shown.length)}`;
  }
  const text = new TextDecoder().decode(bytes);
  if (!isWhole) return `${text}\n\n${referenceWords.broken(bytes.length)}`;
  return /^application\/(?:problem\+)?json/.test(type) ? compactJson(JSON.parse(text)) : text;
}

/** Says something about the request, in the colour of a refusal unless it went well. */
function sayIn(form: HTMLFormElement): (words: string, isGood?: boolean) => void {
  return (words, isGood) => {
    const status = form.querySelector<HTMLElement>("[role=status]");
    if (status === null) return;
    status.textContent = words;
    if (isGood === undefined) delete status.dataset.good;
    else status.dataset.good = String(isGood);
  };
}
