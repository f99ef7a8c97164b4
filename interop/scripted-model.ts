import { MockLanguageModelV4 } from "ai/test";
import type { Call } from "./session.ts";

type Options = Parameters<MockLanguageModelV4["doGenerate"]>[0];

/** A model in the AI SDK's form that makes these calls, one after the other, and records what it receives for each. */
export class ScriptedModel extends MockLanguageModelV4 {
  received: readonly string[] = [];

  /** `prefix` comes before the names of tools. */
  constructor(calls: readonly Call[], prefix = "") {
    let made = 0;
    super({
      doGenerate: async ({ prompt }) => {
        this.received = toolResults(prompt);
        const call = calls[made];
        made += 1;
        return {
          content: [
            call === undefined
              ? { type: "text", text: "Done." }
              : {
                  type: "tool-call",
                  toolCallId: `call-${made}`,
                  toolName: `${prefix}${call.tool}`,
                  input: JSON.stringify(call.input),
                },
          ],
          finishReason: { unified: call === undefined ? "stop" : "tool-calls", raw: undefined },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
            outputTokens: { total: 1, text: 1, reasoning: undefined },
          },
          warnings: [],
        };
      },
    });
  }
}

function toolResults(prompt: Options["prompt"]): readonly string[] {
  return prompt.flatMap((message) =>
    message.role !== "tool"
      ? []
      : message.content.flatMap((part) => (part.type === "tool-result" ? [textOf(part.output)] : [])),
  );
}

/** The text of what a program hands to its model, in whichever form it wraps it. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  if (typeof value !== "object" || value === null) return String(value);
  if ("text" in value) return textOf(value.text);
  if ("value" in value) return textOf(value.value);
  if ("content" in value) return textOf(value.content);
  return JSON.stringify(value);
}
