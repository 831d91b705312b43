/** Something the operator can put right. Shown as its message alone: one clear line, no stack. */
export class OperatorError extends Error {}
