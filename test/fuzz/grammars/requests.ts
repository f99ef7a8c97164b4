import type fc from "fast-check";
import type { Grammar, Trial } from "../grammar.ts";
import { type FuzzRequest, Ground } from "../ground.ts";

/** A text as a part of a URL; halves of surrogate pairs as the bytes that are not UTF-8. */
export const encoded = (text: string): string =>
  [...text].map((sign) => (sign.isWellFormed() ? encodeURIComponent(sign) : "%ED%A0%80")).join("");

/** A query of names and values. */
export const queryOf = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");

/** A grammar whose inputs are requests, or lead to some. */
export interface RequestGrammar extends Grammar {
  /** Opens its trial on a Clew that others may share. */
  openOn(open: () => Promise<Ground>): Promise<Trial<unknown>>;
}

/** Makes a grammar of requests; `tryOn` tries an input. */
export function requestGrammar<Input = FuzzRequest>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  tryOn: (ground: Ground, input: Input) => Promise<unknown>,
): RequestGrammar {
  const openOn = async (open: () => Promise<Ground>): Promise<Trial<Input>> => {
    const ground = await open();
    return {
      inputs,
      async try(input) {
        await tryOn(ground, input);
      },
      settle: () => ground.settle(),
      close: () => ground.close(),
    };
  };
  return { name, perThousand: 1_000, openOn, open: () => openOn(() => Ground.open()) };
}

/** Tries a request that is the input itself. */
export const tryRequest = (ground: Ground, request: FuzzRequest) => ground.try(request);
