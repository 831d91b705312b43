import { EventEmitter, once } from 'node:events';
import type { Mail, Mailer } from '@affiliate/core';

/** Accepts every message, and lets tests wait for the next one to a person. */
export class TestMailbox implements Mailer {
  readonly mails: Mail[] = [];
  readonly #arrivals = new EventEmitter();
  /** When set, the next message is refused with this error. */
  refuseNext: Error | null = null;

  async send(mail: Mail): Promise<void> {
    const refusal = this.refuseNext;
    this.refuseNext = null;
    if (refusal) throw refusal;
    this.mails.push(mail);
    this.#arrivals.emit('mail');
  }

  /** Removes and returns the latest message to `email` whose subject matches. Waits for one if there is none yet. */
  async take(email: string, subject: RegExp): Promise<Mail> {
    for (;;) {
      const index = this.mails.findLastIndex((mail) => mail.to === email && subject.test(mail.subject));
      if (index !== -1) return this.mails.splice(index, 1)[0]!;
      await once(this.#arrivals, 'mail', { signal: AbortSignal.timeout(5_000) });
    }
  }
}
