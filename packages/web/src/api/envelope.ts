/** The body of an error response (docs/rules/platform.md#errors). */
export interface Envelope {
  error: string;
  code: string;
  /** Problems of the input, if the code is VALIDATION_ERROR. */
  details?: unknown;
}

/** A problem of the input. */
export interface Problem {
  /** Dots and indexes; empty for the whole input. */
  path: string;
  message: string;
  /** Label of the field in the page's language, unless the page knows the label itself. Empty if the field has none. */
  label?: string;
}
