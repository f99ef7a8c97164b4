/** The text in the place of a credential. */
const mask = "[masked]";

/** Credentials with a form of their own; what follows such a beginning belongs to them. */
const knownForms = [
  // Clew, the providers of workspaces, GitHub, GitLab, Slack, OpenAI and Anthropic, Stripe, AWS, Google, npm, PyPI, Hugging Face, age.
  /\bsvc_\w+/,
  /\b(?:secret|ntn)_\w{8,}/,
  /\b(?:gh[a-z]|github_pat|glpat|gldt)[_-]\w+/,
  /\bxox[a-z]-[\w-]+/,
  /\b(?:sk|pk|rk)[_-][\w-]{8,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/,
  /\b(?:AIza|ya29\.)[\w.-]+/,
  /\b(?:npm|pypi|hf|dop_v1|shpat)[_-][\w-]{8,}/,
  /\bAGE-SECRET-KEY-1\w+/i,
  // JWT, RFC 7519.
  /\beyJ[\w-]+(?:\.[\w-]*)*/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/,
];

/** A word that names a credential, and the credential after it. */
const named =
  /\b((?:bearer|basic)\s+|(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[ _-]?key|access[ _-]?key|client[ _-]?secret|authorization)\s*(?:[:=]|\bis\b)\s*)(?!bearer\b|basic\b)(?:"[^"]*"|'[^']*'|\S+)/gi;

/** `user:password@` in an address. */
const inAddress = /(\w:\/\/)[^\s/@]+@/g;

const known = new RegExp(knownForms.map(({ source }) => source).join("|"), "g");

/** A run of characters that is long enough for a secret. An id of a page with dashes is none. */
const longRun = /[A-Za-z0-9_+/=-]{20,}/g;
const pageId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a run of characters is drawn, as far as that can be seen: it has digits among letters and no words between separators. */
function looksDrawn(run: string): boolean {
  if (pageId.test(run)) return false;
  return run.split(/[-_/]/).some((part) => part.length >= 20 && /\d/.test(part) && /[A-Za-z]/.test(part));
}

/**
 * A text in which what looks like a credential is masked (APP-9): known forms, what follows a word such as `password=`, and long
 * runs of letters with digits. It masks rather too much: nobody needs those words to see what was looked for.
 */
export function maskCredentials(text: string): string {
  return text
    .replace(known, mask)
    .replace(inAddress, `$1${mask}@`)
    .replace(named, `$1${mask}`)
    .replace(longRun, (run) => (looksDrawn(run) ? mask : run));
}
