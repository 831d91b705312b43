import { EventEmitter, once } from 'node:events';
import { type Mail, type Mailer, type Services, sendDueMail } from '@affiliate/core';
import { expect } from 'vitest';

/** Accepts every message, and lets a test wait for a person's next message. */
export class TestMailbox implements Mailer {
  readonly mails: Mail[] = [];
  readonly #arrivals = new EventEmitter();
  /** If set, the next message is refused with this error. */
  refuseNext: Error | null = null;
  /** If set, no message is accepted until it is resolved. */
  held: Promise<void> | null = null;

  async send(mail: Mail): Promise<void> {
    await this.held;
    const refusal = this.refuseNext;
    this.refuseNext = null;
    if (refusal) throw refusal;
    this.mails.push(mail);
    this.#arrivals.emit('mail');
  }

  /** Removes and returns the latest message to `email` with a matching subject. Waits for one if there is none yet. */
  async take(email: string, subject: RegExp): Promise<Mail> {
    for (;;) {
      const index = this.mails.findLastIndex((mail) => mail.to === email && subject.test(mail.subject));
      if (index !== -1) return this.mails.splice(index, 1)[0]!;
      await once(this.#arrivals, 'mail', { signal: AbortSignal.timeout(5_000) });
    }
  }
  /** Removes and returns the messages to `email` with a matching subject, oldest first. */
  takeAll(email: string, subject: RegExp): Mail[] {
    const found = this.mails.filter((mail) => mail.to === email && subject.test(mail.subject));
    for (const mail of found) this.mails.splice(this.mails.indexOf(mail), 1);
    return found;
  }
}

/** Sends all email in the outbox, including email that a process left when it died. */
export async function sendAllMail(services: Services): Promise<void> {
  await sendDueMail(services);
  // Waits for messages that another process or request is sending at the same time.
  await expect.poll(() => services.database.kysely.selectFrom('outgoing_mail').select('id').execute()).toEqual([]);
}
