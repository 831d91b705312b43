/** A failure that the operator can mend. Its message says what happened and what to do. */
export class EmbeddedPostgresError extends Error {}
