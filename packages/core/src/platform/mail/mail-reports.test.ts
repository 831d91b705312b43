import { expect, it } from 'vitest';
import { mailReportsIn } from './blocked-recipients.ts';

const email = 'ada@example.com';
const complaint = [{ email, reason: 'complaint' }];
const missing = [{ email, reason: 'no_such_recipient' }];
const throughSns = (message: object) => ({ Type: 'Notification', Message: JSON.stringify(message) });

it.each([
  ['the own format', { email, reason: 'complaint' }, complaint],
  [
    'several at once',
    [
      { email, reason: 'complaint' },
      { email, reason: 'no_such_recipient' },
    ],
    [...complaint, ...missing],
  ],
  ['Postmark, a complaint', { RecordType: 'SpamComplaint', Email: email }, complaint],
  ['Postmark, a bounce', { RecordType: 'Bounce', Type: 'HardBounce', Email: email }, missing],
  ['Postmark, a full mailbox', { RecordType: 'Bounce', Type: 'SoftBounce', Email: email }, []],
  [
    'SendGrid, a complaint',
    [
      { event: 'spamreport', email },
      { event: 'open', email },
    ],
    complaint,
  ],
  ['SendGrid, a bounce', [{ event: 'bounce', type: 'bounce', email }], missing],
  ['SendGrid, a blocked message', [{ event: 'bounce', type: 'blocked', email }], []],
  ['Mailgun, a complaint', { signature: {}, 'event-data': { event: 'complained', recipient: email } }, complaint],
  ['Mailgun, a bounce', { 'event-data': { event: 'failed', severity: 'permanent', recipient: email } }, missing],
  ['Mailgun, a delay', { 'event-data': { event: 'failed', severity: 'temporary', recipient: email } }, []],
  ['SES, a complaint', throughSns({ complaint: { complainedRecipients: [{ emailAddress: email }] } }), complaint],
  ['SES, a bounce', throughSns({ bounce: { bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: email }] } }), missing],
  ['SES, a delay', throughSns({ bounce: { bounceType: 'Transient', bouncedRecipients: [{ emailAddress: email }] } }), []],
  [
    'nothing known',
    [null, 1, 'x', [], {}, { email }, { reason: 'complaint', email: 1 }, { Type: 'Notification', Message: '{' }],
    [],
  ],
])('finds the reports in a webhook: %s', (_format, body, reports) => {
  expect(mailReportsIn(body)).toEqual(reports);
});
