import { designTokens } from "@clew/dashboard";

/** The style of the reference, which the page contains. */
export const referenceStyle = `${designTokens}
html { font: 100% / 1.5 var(--font-body); }
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  max-width: 60rem;
  padding: 1rem 1rem 4rem;
  background: var(--paper);
  color: var(--ink);
  overflow-wrap: anywhere;
}
a { color: var(--thread); }
a:focus-visible, pre:focus-visible, summary:focus-visible { outline: 3px solid var(--thread); outline-offset: 2px; }
h1 { font-family: var(--font-title); line-height: 1.2; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
h3 { margin-top: 2.5rem; }
nav a { display: inline-block; padding-block: 0.2rem; }
.route { font-size: 1.1rem; }
code, pre { font-family: var(--font-code); font-size: 0.92em; }
pre { padding: 0.75rem; border: 1px solid var(--line); white-space: pre-wrap; }
summary { padding-block: 0.2rem; cursor: pointer; }
table { width: 100%; margin-block: 1rem; border-collapse: collapse; }
caption { text-align: start; color: var(--quiet); }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; border-top: 1px solid var(--line); text-align: start; vertical-align: top; font-weight: normal; }
@media (width >= 40rem) {
  th, td { overflow-wrap: normal; }
}
thead th { border: 0; color: var(--quiet); }
`;
