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
  /** What code counts less. */
  readonly code: number;
  /** A word that differs from one of the question in its ending, as a share of that one: `configuration` for `configure`. */
  readonly related: number;
  /** Whether words of conversation in a question count like others. */
  readonly keepsConversation: boolean;
  /** Whether pages with the same title share the room of one. */
  readonly joinsCopies: boolean;
}

export const standardWeights: ContextWeights = {
  neighbors: 0.6,
  section: 0.5,
  headings: 0.2,
  title: 0.3,
  linkWords: 0.5,
  page: 0.65,
  links: 0.8,
  code: 0.5,
  related: 0.5,
  keepsConversation: false,
  joinsCopies: true,
};
