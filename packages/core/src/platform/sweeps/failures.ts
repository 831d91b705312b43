export interface FailureLog {
  error(fields: object, message: string): void;
}

/**
 * The failures of a sweep, so that one piece of its work, e.g. that of an account, holds up no other. Each failure is logged. The first is thrown at
 * the end, so that the job fails and is tried again.
 */
export class Failures {
  readonly #log: FailureLog;
  readonly #message: string;
  #first: { err: unknown } | null = null;

  /** @param message what was not done, for the log */
  constructor({ log }: { log: FailureLog }, message: string) {
    this.#log = log;
    this.#message = message;
  }

  /** Does one piece of the work. Returns undefined if it fails. */
  async attempt<T>(fields: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (err) {
      this.add(err, fields);
      return undefined;
    }
  }

  add(err: unknown, fields: Readonly<Record<string, unknown>>): void {
    this.#log.error({ err, ...fields }, this.#message);
    this.#first ??= { err };
  }

  /** @throws the first failure, if there is one */
  throwFirst(): void {
    if (this.#first !== null) throw this.#first.err;
  }
}
