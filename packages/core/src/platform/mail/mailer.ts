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

/** Why a message is sent. It decides how soon and how often (docs/rules/platform.md#mail). */
export interface Purpose {
  /** Name of the kind of message. Messages of the same kind to the same person are counted together. */
  kind: string;
  /**
   * `urgent`: a person waits for the message, or it concerns the security of a sign-in. Sent before all other messages.
   * `news`: tells what happened in an account. Beyond a few a day to a person, news are joined into one message.
   * `invitation`: goes to a person who may not know the account. Limited for each account and each person.
   */
  priority: 'urgent' | 'news' | 'invitation';
  /** Account on whose behalf the message is sent. Null if it concerns a person and no account. */
  accountId: string | null;
  /** The turn of an urgent message that a person has requested. Others have a turn of their own. */
  turn?: MailTurn;
}

/**
 * The turn of a requested message among the urgent ones (docs/rules/platform.md#turns-of-urgent-mail). A message waits behind those that its
 * network or its account already has waiting, and before the further ones of others.
 */
export interface MailTurn {
  /** Name of the network of the requester, if it is known. */
  network: string | null;
  /** Name of the account whose affiliate gets the message. Null for members. */
  account: string | null;
  /** True for messages that are sent after all those that are not. */
  isLater: boolean;
}

/** Returns the kind of the job that sends messages of a purpose. Send it after the commit. */
export function jobOf({ priority }: Pick<Purpose, 'priority'>): 'urgent_mail' | 'mail' {
  return priority === 'urgent' ? 'urgent_mail' : 'mail';
}
