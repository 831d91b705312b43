import { ApiError } from './api-error.ts';

export interface Answer {
  status: number;
  body: unknown;
}

/** Responses by idempotency key. The first response of a key is replayed from then on. */
export class IdempotencyRecords {
  readonly #records = new Map<string, { fingerprint: string; answer: Answer | undefined }>();

  /** Returns the stored response, or undefined for a new key. Refuses a key that is in use, or was used with other parameters. */
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

  /** Frees a key whose request ended before it began to execute. */
  forget(key: string): void {
    this.#records.delete(key);
  }
}
