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
}

/** Delivers messages. The composition root chooses how: over SMTP, or into the log when no server is configured. */
export interface Mailer {
  /** True if messages are only written to the log. */
  writesToLog?: boolean;
  /** Rejects when the message was not accepted, or when the outcome is uncertain. */
  send(mail: Mail): Promise<void>;
}

declare module '../call/context.ts' {
  interface Services {
    mailer: Mailer;
  }
}
