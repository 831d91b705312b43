/** A message to one person, in plain text and in HTML. */
export interface Mail {
  /** Stays the same when a message is sent again; becomes its Message-ID, by which mail programs drop repeats. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Hands messages over for delivery. The composition root chooses how: over SMTP, or into the log where no server is configured. */
export interface Mailer {
  /** Rejects when the message was not accepted, or when that is uncertain. */
  send(mail: Mail): Promise<void>;
}

declare module '../call/context.ts' {
  interface Services {
    mailer: Mailer;
  }
}
