import { EventEmitter, once } from 'node:events';
import type { Mail, Mailer } from '@affiliate/core';

/** Takes every message, and lets tests wait for the next one to somebody. */
export class TestMailbox implements Mailer {
  readonly mails: Mail[] = [];
  readonly #arrivals = new EventEmitter();
  /** Set to have the next message refused. */
  refuseNext: Error | null = null;

  async send(mail: Mail): Promise<void> {
    const refusal = this.refuseNext;
    this.refuseNext = null;
    if (refusal) throw refusal;
    this.mails.push(mail);
    this.#arrivals.emit('mail');
  }

  /** The latest message to `email` whose subject matches; waits for one if there is none yet. It is taken out. */
  async take(email: string, subject: RegExp): Promise<Mail> {
    for (;;) {
      const index = this.mails.findLastIndex((mail) => mail.to === email && subject.test(mail.subject));
      if (index !== -1) return this.mails.splice(index, 1)[0]!;
      await once(this.#arrivals, 'mail', { signal: AbortSignal.timeout(5_000) });
    }
  }
}
