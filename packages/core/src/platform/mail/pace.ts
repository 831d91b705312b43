/** Maximum number of messages that a process sends at a time, urgent ones aside. */
export const MOST_AT_ONCE = 8;
/** A message that takes this many times as long as the fastest recent one shows that the server is working at its limit. */
const SLOW_FACTOR = 2;
/** Share by which the fastest time is forgotten with each message, because a server may become slower for good. */
const FORGOTTEN = 0.002;

/**
 * Finds how many messages at a time a mail server handles well. Sending more at a time to a busy server makes each of them slower and sends none of them
 * sooner, and an urgent message would have to wait behind all of them.
 */
export class Pace {
  #limit = 1;
  #fastestMs = Infinity;

  /** Number of messages to send at a time. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Notes that the server took `ms` to accept a message. */
  accepted(ms: number): void {
    this.#fastestMs = Math.min(this.#fastestMs * (1 + FORGOTTEN), ms);
    this.#limit =
      ms <= this.#fastestMs * SLOW_FACTOR
        ? Math.min(MOST_AT_ONCE, this.#limit + 1 / this.#limit)
        : Math.max(1, this.#limit - 1 / this.#limit);
  }

  /** Notes that the server could not be reached or refused to take messages. */
  failed(): void {
    this.#limit = 1;
  }
}
