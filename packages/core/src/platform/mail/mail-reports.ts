import type { MailReport } from './blocked-recipients.ts';

type Fields = Record<string, unknown>;

/**
 * Reads the reports in a webhook of a mail provider: complaints, and addresses that do not exist. Knows the formats of Postmark, SendGrid, Mailgun and
 * Amazon SES (through SNS), and `{ "email": …, "reason": "complaint" | "no_such_recipient" }` for everything else, alone or in an array. Everything that
 * is not such a report is ignored.
 */
export function mailReportsIn(body: unknown): MailReport[] {
  return (Array.isArray(body) ? body : [body]).flatMap((each) => (isFields(each) ? reportsIn(each) : []));
}

function reportsIn(event: Fields): MailReport[] {
  if (event['Type'] === 'Notification') return mailReportsIn(parsed(event['Message']));
  const { reason } = event;
  if (reason === 'complaint' || reason === 'no_such_recipient') return reported(event['email'], reason);
  // Postmark
  if (event['RecordType'] === 'SpamComplaint') return reported(event['Email'], 'complaint');
  if (event['RecordType'] === 'Bounce' && event['Type'] === 'HardBounce') return reported(event['Email'], 'no_such_recipient');
  // SendGrid
  if (event['event'] === 'spamreport') return reported(event['email'], 'complaint');
  if (event['event'] === 'bounce' && event['type'] !== 'blocked') return reported(event['email'], 'no_such_recipient');
  // Mailgun
  const data = event['event-data'];
  if (isFields(data)) {
    if (data['event'] === 'complained') return reported(data['recipient'], 'complaint');
    if (data['event'] === 'failed' && data['severity'] === 'permanent') return reported(data['recipient'], 'no_such_recipient');
  }
  // Amazon SES
  const { complaint, bounce } = event;
  if (isFields(complaint)) return recipientsIn(complaint['complainedRecipients'], 'complaint');
  if (isFields(bounce) && bounce['bounceType'] === 'Permanent')
    return recipientsIn(bounce['bouncedRecipients'], 'no_such_recipient');
  return [];
}

function recipientsIn(recipients: unknown, reason: MailReport['reason']): MailReport[] {
  const all: unknown[] = Array.isArray(recipients) ? recipients : [];
  return all.flatMap((each) => (isFields(each) ? reported(each['emailAddress'], reason) : []));
}

function reported(email: unknown, reason: MailReport['reason']): MailReport[] {
  return typeof email === 'string' && email.includes('@') ? [{ email, reason }] : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}
