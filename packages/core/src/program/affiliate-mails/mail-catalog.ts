/** A mail to affiliates: its default texts, and the placeholders that its texts may name, each with an example for previews. */
interface MailKind {
  /** When it is sent, for the settings page. */
  sent: string;
  subject: string;
  /** Paragraphs. One that names a placeholder without a value is left out. */
  body: string;
  link: { label: string; path: string };
  /** Last paragraph, which templates do not change. */
  closing: string;
  placeholders: Record<string, string>;
}

const BECAUSE_APPLIED = 'You get this e-mail because you applied with this address.';
const BECAUSE_AFFILIATE = 'You get this e-mail because you are an affiliate of {{account_name}}.';

/** Every mail to affiliates that an account can word itself. Mails that sign somebody in are not among them. */
export const AFFILIATE_MAILS = {
  application_received: {
    sent: 'An applicant has confirmed the address, and the application waits.',
    subject: '{{account_name}} has received your application',
    body: '{{account_name}} will look at your application. You get an e-mail when it is decided.',
    link: { label: 'See where it stands', path: '/portal' },
    closing: BECAUSE_APPLIED,
    placeholders: {},
  },
  application_approved: {
    sent: 'An application is approved.',
    subject: 'Welcome to the affiliate program of {{account_name}}',
    body: '{{account_name}} has approved your application. Your link is ready to share.\n\n{{note}}',
    link: { label: 'Open your portal', path: '/portal' },
    closing: BECAUSE_APPLIED,
    placeholders: { note: 'We look forward to working with you.' },
  },
  application_rejected: {
    sent: 'An application is rejected.',
    subject: 'Your application to {{account_name}}',
    body: '{{account_name}} has not approved your application.\n\n{{note}}',
    link: { label: 'See your application', path: '/portal' },
    closing: BECAUSE_APPLIED,
    placeholders: { note: 'We only work with shops in Europe at the moment.' },
  },
  payout_paid: {
    sent: 'A payout is paid.',
    subject: '{{account_name}} has paid your commissions',
    body: '{{account_name}} has paid you {{amount}}. The statement is in your portal.',
    link: { label: 'See your payouts', path: '/portal/payouts' },
    closing: BECAUSE_AFFILIATE,
    placeholders: { amount: '120.00 USD' },
  },
  payout_details_changed: {
    sent: 'An affiliate has changed where payouts are sent. The former address gets it, too.',
    subject: 'Your payout details at {{account_name}} have changed',
    body: 'The address to which {{account_name}} pays your commissions was changed in your affiliate portal.\n\nNo payout is sent to the new address before {{held_until}}.',
    link: { label: 'Check your payout details', path: '/portal/payout-details' },
    closing: 'If this was not you, tell {{account_name}} at once, and change the password of your e-mail account.',
    placeholders: { held_until: '2026-12-01' },
  },
  payout_details_missing: {
    sent: 'A payout could be paid, but the affiliate has not said where to. Once for each payout.',
    subject: '{{account_name}} cannot pay you yet',
    body: '{{account_name}} owes you {{amount}}, and does not know where to send it. Enter your PayPal or Wise address.',
    link: { label: 'Enter your payout details', path: '/portal/payout-details' },
    closing: BECAUSE_AFFILIATE,
    placeholders: { amount: '120.00 USD' },
  },
  commission_digest: {
    sent: 'A day or a week with commissions is over, as the affiliate has chosen.',
    subject: 'You earned {{amount}} with {{account_name}}',
    body: 'From {{from}} to {{to}} you earned {{amount}} in {{commissions}}.',
    link: { label: 'See your commissions', path: '/portal/commissions' },
    closing: `${BECAUSE_AFFILIATE} Your profile in the portal says how often.`,
    placeholders: { amount: '42.00 USD', commissions: '3 commissions', from: '2026-11-16', to: '2026-11-22' },
  },
  terms_changed: {
    sent: 'A new version of the terms is published.',
    subject: 'The terms of {{account_name}} have changed',
    body: '{{account_name}} has published new terms of its affiliate program. Read and accept them in your portal.',
    link: { label: 'Read the terms', path: '/portal' },
    closing: BECAUSE_AFFILIATE,
    placeholders: {},
  },
} as const satisfies Record<string, MailKind>;

export type AffiliateMail = keyof typeof AFFILIATE_MAILS;
export const AFFILIATE_MAIL_NAMES = Object.keys(AFFILIATE_MAILS) as AffiliateMail[];

/** The values of a mail's own placeholders. An empty one leaves out the paragraphs that name it. */
export type MailValues<Mail extends AffiliateMail> = Record<keyof (typeof AFFILIATE_MAILS)[Mail]['placeholders'], string>;

/** The placeholders that the texts of a mail may name, with examples. */
export function placeholdersOf(mail: AffiliateMail): Record<string, string> {
  return { account_name: 'Northwind Tea', ...AFFILIATE_MAILS[mail].placeholders };
}
