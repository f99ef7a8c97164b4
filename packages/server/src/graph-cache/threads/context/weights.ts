/** What the parts of the ranking count. A part without weight is not part of it: that is how each is measured. */
export interface ContextWeights {
  /**
   * Beside 1 for the share of the question that a passage has itself. The sentence that answers often has none of the
   * question's words: what stands around it has.
   */
  readonly neighbors: number;
  readonly section: number;
  readonly headings: number;
  readonly title: number;
  /** What stands around links to the page. */
  readonly linkWords: number;
  /** The logarithm of the page's rank. */
  readonly page: number;
  /** What a link adds to the rank of the page at its other end, at most. */
  readonly links: number;
  /** How much the whole of a page counts for its rank beside its best section. */
  readonly wholePage: number;
  /** What code counts less. */
  readonly code: number;
  /** What rows of tables count less: many have the words of what they refer to, and few an answer. */
  readonly row: number;
  /** A word that differs from one of the question in its ending, as a share of that one: `configuration` for `configure`. */
  readonly related: number;
  /** Whether words of conversation in a question count like others. */
  readonly keepsConversation: boolean;
  /** Whether copies of a page that was read are left out. */
  readonly skipsCopies: boolean;
}

export const standardWeights: ContextWeights = {
  neighbors: 0.6,
  section: 0.5,
  headings: 0.2,
  title: 0.3,
  linkWords: 0.5,
  page: 0.65,
  links: 0.8,
  wholePage: 0.5,
  code: 0.5,
  row: 0.3,
  related: 0.5,
  keepsConversation: false,
  skipsCopies: true,
};
