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
