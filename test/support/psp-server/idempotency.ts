import { ApiError } from './api-error.ts';

export interface Answer {
  status: number;
  body: unknown;
}

/** What the provider remembers of the requests with an idempotency key: the first answer, replayed for ever after. */
export class IdempotencyRecords {
  readonly #records = new Map<string, { fingerprint: string; answer: Answer | undefined }>();

  /** The remembered answer; undefined for a key that is new. Refuses a key that is in use or came with other parameters. */
  begin(key: string, fingerprint: string): Answer | undefined {
    const record = this.#records.get(key);
    if (!record) {
      this.#records.set(key, { fingerprint, answer: undefined });
      return undefined;
    }
    if (record.fingerprint !== fingerprint) {
      throw new ApiError(400, {
        type: 'idempotency_error',
        message:
          `Keys for idempotent requests can only be used with the same parameters they were first used with. ` +
          `Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    }
    if (!record.answer) {
      throw new ApiError(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Stripe-Account and Idempotent Key (${key}).`,
      });
    }
    return record.answer;
  }

  finish(key: string, answer: Answer): void {
    const record = this.#records.get(key);
    if (record) record.answer = answer;
  }

  /** The request ended before it began to execute: the key is as good as new. */
  forget(key: string): void {
    this.#records.delete(key);
  }
}
