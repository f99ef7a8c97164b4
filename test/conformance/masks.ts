/** Replaces values that are secret or differ between runs by fixed placeholders. */
export interface Masks {
  /** From now on, this text is shown as the placeholder, percent-encoded or not. */
  hide(text: string, placeholder: string): void;
  mask(text: string): string;
}

/** Values that are recognised by their form. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, "<JWT>"],
  [/\bsvc_[A-Za-z0-9]{32}\b/g, "svc_…"],
  [/\bsvc_[A-Za-z0-9]{8}\b/g, "svc_<PREFIX>"],
  [/\bclew_(sign_in|session_hint)_[\w-]{16}=/g, "clew_$1_<ID>="],
  [/(?<=\bclew_\w+<ID>=)[\w-]+/g, "<SECRET>"],
];

export function createMasks(): Masks {
  const placeholders = new Map<string, string>();
  return {
    hide(text, placeholder) {
      placeholders.set(text, placeholder).set(encodeURIComponent(text), placeholder);
    },
    mask(text) {
      let masked = text;
      const longestFirst = [...placeholders].sort(([a], [b]) => b.length - a.length);
      for (const [secret, placeholder] of longestFirst) masked = masked.replaceAll(secret, placeholder);
      for (const [shape, placeholder] of shapes) masked = masked.replaceAll(shape, placeholder);
      return masked;
    },
  };
}
