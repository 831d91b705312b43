/** A message to one person, in plain text and in HTML. */
export interface Mail {
  /** Stays the same if the message is sent again. Used as its Message-ID, by which mail programs drop duplicates. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Set for emails from which the reader can unsubscribe. Mail programs show an unsubscribe button (RFC 8058). */
  unsubscribeUrl?: string;
  /** Address that gets answers. Default: that of the sender. */
  replyTo?: string;
}

/** Delivers messages. The composition root chooses how: over SMTP, or into the log when no server is configured. */
export interface Mailer {
  /** True if messages are only written to the log. */
  writesToLog?: boolean;
  /** The last messages that this process has written to the log, the latest first. Only if `writesToLog`. */
  recent?: readonly Mail[];
  /**
   * Rejects when the message was not accepted, or when the outcome is uncertain. Throws `MailFailure` if the reason is known. May be called
   * concurrently: the outbox limits the number of calls.
   */
  send(mail: Mail): Promise<void>;
  /** Closes the connections to the mail server. */
  close?(): void;
}

/**
 * The reason why a message was not accepted.
 * `server`: the mail server cannot be reached or takes no messages at the moment. This has nothing to do with the message.
 * `later`: the recipient's host takes no messages at the moment.
 * `no_such_recipient`: the address does not exist or accepts no email, so that no message should be sent to it any more.
 */
type FailureReason = 'server' | 'later' | 'no_such_recipient';

/** Error of a mailer that knows why a message was not accepted. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, cause: Error) {
    super(cause.message, { cause });
    this.reason = reason;
  }
}

declare module '../call/context.ts' {
  interface Services {
    mailer: Mailer;
  }
}
