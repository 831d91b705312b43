import { LANGUAGES, type Language } from '../../platform/texts/texts.ts';

type Texts = Readonly<Record<Language, string>>;

/** An email to affiliates: its default texts, and the placeholders that its texts may contain, each with an example for previews. */
interface MailKind {
  subject: Texts;
  /** Paragraphs. A paragraph that contains a placeholder without a value is left out. */
  body: Texts;
  link: { label: Texts; path: string };
  /** Last paragraph. An account's own texts do not replace it. */
  closing: Texts;
  placeholders: Readonly<Record<string, Texts>>;
  /** True if an account may choose not to send the email. */
  optional?: true;
  /** True if affiliates cannot end the email, because it answers an application or concerns the security of an affiliate. */
  always?: true;
}

const BECAUSE_APPLIED = {
  en: 'You get this email because you applied with this address.',
  de: 'Sie erhalten diese E-Mail, weil Sie sich mit dieser Adresse beworben haben.',
} as const;
const BECAUSE_AFFILIATE = {
  en: 'You get this email because you are an affiliate of {{account_name}}.',
  de: 'Sie erhalten diese E-Mail als Partner von {{account_name}}.',
} as const;
const UNEXPECTED = {
  en: 'If you did not expect this, tell {{account_name}} at once.',
  de: 'Wenn Sie das nicht erwartet haben, verständigen Sie sofort {{account_name}}.',
} as const;
const HELD = { held_until: { en: '1 December 2026', de: '1. Dezember 2026' } } as const;
const SUM = { en: 'US$120.00', de: '120,00 $' } as const;

/** All emails to affiliates whose texts an account can replace. Emails that contain a sign-in link are not among them. */
export const AFFILIATE_MAILS = {
  application_received: {
    always: true,
    subject: {
      en: '{{account_name}} has received your application',
      de: '{{account_name}} hat Ihre Bewerbung erhalten',
    },
    body: {
      en: '{{account_name}} will review your application. You will get an email when a decision has been made.',
      de: '{{account_name}} prüft Ihre Bewerbung. Sie erhalten eine E-Mail, sobald darüber entschieden ist.',
    },
    link: { label: { en: 'Check the status', de: 'Stand ansehen' }, path: '/portal' },
    closing: BECAUSE_APPLIED,
    placeholders: {},
  },
  application_approved: {
    always: true,
    subject: {
      en: 'Welcome to the affiliate program of {{account_name}}',
      de: 'Willkommen im Partnerprogramm von {{account_name}}',
    },
    body: {
      en: '{{account_name}} has approved your application. Your link is ready to share.\n\n{{note}}',
      de: '{{account_name}} hat Ihre Bewerbung angenommen. Ihren Link können Sie sofort teilen.\n\n{{note}}',
    },
    link: { label: { en: 'Open your portal', de: 'Portal öffnen' }, path: '/portal' },
    closing: BECAUSE_APPLIED,
    placeholders: {
      note: { en: 'We look forward to working with you.', de: 'Wir freuen uns auf die Zusammenarbeit.' },
    },
  },
  application_rejected: {
    always: true,
    subject: { en: 'Your application to {{account_name}}', de: 'Ihre Bewerbung bei {{account_name}}' },
    body: {
      en: '{{account_name}} has not approved your application.\n\n{{note}}',
      de: '{{account_name}} hat Ihre Bewerbung nicht angenommen.\n\n{{note}}',
    },
    link: { label: { en: 'See your application', de: 'Bewerbung ansehen' }, path: '/portal' },
    closing: BECAUSE_APPLIED,
    placeholders: {
      note: {
        en: 'We only work with shops in Europe at the moment.',
        de: 'Zurzeit arbeiten wir nur mit Läden in Europa zusammen.',
      },
    },
  },
  payout_paid: {
    subject: {
      en: '{{account_name}} has paid your commissions',
      de: '{{account_name}} hat Ihre Provisionen ausgezahlt',
    },
    body: {
      en: '{{account_name}} has paid you {{amount}}. {{payment}}\n\nThe statement is in your portal.',
      de: '{{account_name}} hat Ihnen {{amount}} ausgezahlt. {{payment}}\n\nDie Abrechnung finden Sie in Ihrem Portal.',
    },
    link: { label: { en: 'See your payouts', de: 'Auszahlungen ansehen' }, path: '/portal/payouts' },
    closing: BECAUSE_AFFILIATE,
    placeholders: {
      amount: SUM,
      payment: {
        en: 'Paid by PayPal to a…@example.com on 22 November 2026.',
        de: 'Am 22. November 2026 über PayPal an a…@example.com gezahlt.',
      },
    },
  },
  payout_returned: {
    subject: {
      en: 'Your payout from {{account_name}} came back',
      de: 'Ihre Auszahlung von {{account_name}} kam zurück',
    },
    body: {
      en: 'The transfer of {{amount}} to you did not arrive. The reason that {{account_name}} was given: {{reason}}\n\nYou keep the money: it is in your next payout. Check your payout details, so that it arrives this time.',
      de: 'Die Überweisung von {{amount}} an Sie ist nicht angekommen. Grund, den {{account_name}} erfahren hat: {{reason}}\n\nDas Geld bleibt Ihres: Es ist in Ihrer nächsten Auszahlung. Prüfen Sie Ihre Auszahlungsdaten, damit es diesmal ankommt.',
    },
    link: { label: { en: 'Check your payout details', de: 'Auszahlungsdaten prüfen' }, path: '/portal/payout-details' },
    closing: BECAUSE_AFFILIATE,
    placeholders: { amount: SUM, reason: { en: 'Account closed', de: 'Konto aufgelöst' } },
  },
  email_changed_by_merchant: {
    always: true,
    subject: {
      en: '{{account_name}} has changed your email address',
      de: '{{account_name}} hat Ihre E-Mail-Adresse geändert',
    },
    body: {
      en: '{{account_name}} has set another email address for you. You can open the portal with that address only.',
      de: '{{account_name}} führt Sie jetzt unter einer anderen E-Mail-Adresse. Das Portal öffnet sich nur noch mit dieser.',
    },
    link: { label: { en: 'Open your portal', de: 'Portal öffnen' }, path: '/portal' },
    closing: UNEXPECTED,
    placeholders: {},
  },
  payout_details_changed: {
    always: true,
    subject: {
      en: 'Your payout details at {{account_name}} have changed',
      de: 'Ihre Auszahlungsdaten bei {{account_name}} wurden geändert',
    },
    body: {
      en: 'The address to which {{account_name}} pays your commissions was changed in your affiliate portal.\n\nNo payout is sent to the new address before {{held_until}}.',
      de: 'Die Adresse, an die {{account_name}} Ihre Provisionen auszahlt, wurde in Ihrem Partnerportal geändert.\n\nVor dem {{held_until}} wird nichts an die neue Adresse ausgezahlt.',
    },
    link: {
      label: { en: 'Check your payout details', de: 'Auszahlungsdaten prüfen' },
      path: '/portal/payout-details',
    },
    closing: {
      en: 'If this was not you, tell {{account_name}} at once, and change the password of your email account.',
      de: 'Wenn Sie das nicht waren, verständigen Sie sofort {{account_name}} und ändern Sie das Passwort Ihres E-Mail-Kontos.',
    },
    placeholders: HELD,
  },
  payout_details_changed_by_merchant: {
    always: true,
    subject: {
      en: '{{account_name}} has changed your payout details',
      de: '{{account_name}} hat Ihre Auszahlungsdaten geändert',
    },
    body: {
      en: '{{account_name}} has changed the address to which your commissions are paid.\n\nNo payout is sent to the new address before {{held_until}}.',
      de: '{{account_name}} hat geändert, wohin Ihre Provisionen ausgezahlt werden.\n\nVor dem {{held_until}} wird nichts an die neue Adresse ausgezahlt.',
    },
    link: {
      label: { en: 'Check your payout details', de: 'Auszahlungsdaten prüfen' },
      path: '/portal/payout-details',
    },
    closing: UNEXPECTED,
    placeholders: HELD,
  },
  payout_details_missing: {
    subject: {
      en: '{{account_name}} cannot pay you yet',
      de: '{{account_name}} kann Sie noch nicht bezahlen',
    },
    body: {
      en: '{{account_name}} owes you {{amount}}, but has no address to pay it to. Enter your PayPal or Wise address.',
      de: '{{account_name}} schuldet Ihnen {{amount}} und weiß nicht, wohin damit. Geben Sie Ihre Adresse bei PayPal oder Wise ein.',
    },
    link: {
      label: { en: 'Enter your payout details', de: 'Auszahlungsdaten eingeben' },
      path: '/portal/payout-details',
    },
    closing: BECAUSE_AFFILIATE,
    placeholders: { amount: SUM },
  },
  commission_digest: {
    optional: true,
    subject: {
      en: 'You earned {{amount}} with {{account_name}}',
      de: 'Sie haben {{amount}} bei {{account_name}} verdient',
    },
    body: {
      en: 'From {{from}} to {{to}} you earned {{amount}} in {{commissions}}.\n\nOn {{day}} you earned {{amount}}. {{explanation}}',
      de: 'Vom {{from}} bis zum {{to}} haben Sie {{amount}} verdient, mit {{commissions}}.\n\nAm {{day}} haben Sie {{amount}} verdient. {{explanation}}',
    },
    link: { label: { en: 'See your commissions', de: 'Provisionen ansehen' }, path: '/portal/commissions' },
    closing: {
      en: `${BECAUSE_AFFILIATE.en} To change how often you get it, open your profile in the portal.`,
      de: `${BECAUSE_AFFILIATE.de} In Ihrem Profil im Portal wählen Sie, wie oft Sie sie erhalten.`,
    },
    placeholders: {
      amount: { en: 'US$42.00', de: '42,00 $' },
      commissions: { en: '3 commissions', de: '3 Provisionen' },
      from: { en: '16 November 2026', de: '16. November 2026' },
      to: { en: '22 November 2026', de: '22. November 2026' },
      day: { en: '22 November 2026', de: '22. November 2026' },
      explanation: {
        en: 'The campaign pays 10% of US$420.00, rounded to US$42.00.',
        de: 'Die Kampagne zahlt 10 % von 420,00 $, gerundet 42,00 $.',
      },
    },
  },
  tier_reached: {
    optional: true,
    subject: {
      en: 'You have reached {{tier}} at {{account_name}}',
      de: 'Sie haben {{tier}} bei {{account_name}} erreicht',
    },
    body: {
      en: 'By your sales of the last period you have reached a tier of {{account_name}}: {{tier}}.\n\nThe tiers that you have now: {{tiers}}. Your portal says what you earn, and how far the next tier is.',
      de: 'Mit Ihren Verkäufen im letzten Zeitraum haben Sie eine Stufe von {{account_name}} erreicht: {{tier}}.\n\nIhre Stufen sind jetzt: {{tiers}}. In Ihrem Portal sehen Sie, was Sie verdienen und wie weit die nächste Stufe entfernt ist.',
    },
    link: { label: { en: 'Open your portal', de: 'Portal öffnen' }, path: '/portal' },
    closing: BECAUSE_AFFILIATE,
    placeholders: {
      tier: { en: 'Gold tier', de: 'Goldstufe' },
      tiers: { en: 'Silver and Gold', de: 'Silber und Gold' },
    },
  },
  tier_lost: {
    optional: true,
    subject: {
      en: 'Your tier at {{account_name}} has changed',
      de: 'Ihre Stufe bei {{account_name}} hat sich geändert',
    },
    body: {
      en: 'Your sales of the last period were not enough for the tier {{tier}} of {{account_name}}.\n\nThe tiers that you have now: {{tiers}}.\n\nYour portal says how far the next tier is.',
      de: 'Ihre Verkäufe im letzten Zeitraum haben für die Stufe {{tier}} von {{account_name}} nicht gereicht.\n\nIhre Stufen sind jetzt: {{tiers}}.\n\nIn Ihrem Portal sehen Sie, wie weit die nächste Stufe entfernt ist.',
    },
    link: { label: { en: 'Open your portal', de: 'Portal öffnen' }, path: '/portal' },
    closing: BECAUSE_AFFILIATE,
    placeholders: { tier: { en: 'Gold tier', de: 'Goldstufe' }, tiers: { en: 'Silver', de: 'Silber' } },
  },
  membership_ended: {
    subject: {
      en: 'Your membership in the program of {{account_name}} has ended',
      de: 'Ihre Teilnahme am Programm von {{account_name}} ist beendet',
    },
    body: {
      en: '{{account_name}} ended your membership on {{date}}. Your links and codes earn nothing new.\n\n{{owed}}',
      de: '{{account_name}} hat Ihre Teilnahme am {{date}} beendet. Ihre Links und Codes bringen nichts Neues ein.\n\n{{owed}}',
    },
    link: { label: { en: 'See what you have earned', de: 'Verdienst ansehen' }, path: '/portal' },
    closing: BECAUSE_AFFILIATE,
    placeholders: {
      date: { en: '22 November 2026', de: '22. November 2026' },
      owed: {
        en: 'What you have earned stays yours. US$120.00 is still to be paid. The membership in the program has ended, so the program pays by hand.',
        de: 'Was Sie verdient haben, bleibt Ihres. 120,00 $ können noch nicht gezahlt werden. Die Teilnahme am Programm ist beendet. Deshalb zahlt das Programm von Hand.',
      },
    },
  },
  campaign_ended: {
    subject: {
      en: '{{account_name}} has ended {{campaign}}',
      de: '{{account_name}} hat {{campaign}} beendet',
    },
    body: {
      en: '{{account_name}} ended the campaign {{campaign}} on {{date}}. Your links in it still lead to the shop, but earn nothing new.\n\nWhat you have earned stays yours, and is paid as before.',
      de: '{{account_name}} hat die Kampagne {{campaign}} am {{date}} beendet. Ihre Links darin führen weiter zum Händler, bringen aber nichts Neues ein.\n\nWas Sie verdient haben, bleibt Ihres und wird wie bisher ausgezahlt.',
    },
    link: { label: { en: 'Open your portal', de: 'Portal öffnen' }, path: '/portal' },
    closing: BECAUSE_AFFILIATE,
    placeholders: {
      campaign: { en: 'Friends', de: 'Freunde' },
      date: { en: '22 November 2026', de: '22. November 2026' },
    },
  },
  rewards_changed: {
    optional: true,
    subject: {
      en: '{{account_name}} has changed what you earn',
      de: '{{account_name}} hat Ihre Provisionen geändert',
    },
    body: {
      en: '{{account_name}} changed the rewards on {{date}}. They apply to sales after that. Earlier commissions stay as they are.\n\nBefore: {{former}}\n\nNow: {{current}}\n\nYour portal lists all rewards.',
      de: '{{account_name}} hat die Provisionen am {{date}} geändert. Sie gelten für Verkäufe danach. Frühere Provisionen bleiben, wie sie sind.\n\nBisher: {{former}}\n\nJetzt: {{current}}\n\nIn Ihrem Portal finden Sie alle Provisionen.',
    },
    link: { label: { en: 'See what you earn', de: 'Provisionen ansehen' }, path: '/portal' },
    closing: BECAUSE_AFFILIATE,
    placeholders: {
      date: { en: '22 November 2026', de: '22. November 2026' },
      former: { en: '20% of every sale to a customer you refer.', de: '20 % von jedem Verkauf an Kunden, die Sie werben.' },
      current: { en: '25% of every sale to a customer you refer.', de: '25 % von jedem Verkauf an Kunden, die Sie werben.' },
    },
  },
  terms_changed: {
    subject: {
      en: 'The terms of {{account_name}} have changed',
      de: 'Die Bedingungen von {{account_name}} haben sich geändert',
    },
    body: {
      en: '{{account_name}} has published new terms of its affiliate program. They apply from {{date}}.\n\nWhat changes: {{summary}}\n\n{{changes}}\n\nRead and accept them in your portal. It shows the whole text, and what is new in it.',
      de: '{{account_name}} hat neue Bedingungen für das Partnerprogramm veröffentlicht. Sie gelten ab dem {{date}}.\n\nWas sich ändert: {{summary}}\n\n{{changes}}\n\nLesen Sie sie in Ihrem Portal und stimmen Sie ihnen zu. Dort finden Sie den ganzen Text und sehen, was daran neu ist.',
    },
    link: { label: { en: 'Read the terms', de: 'Bedingungen lesen' }, path: '/portal' },
    closing: BECAUSE_AFFILIATE,
    placeholders: {
      date: { en: '1 December 2026', de: '1. Dezember 2026' },
      summary: {
        en: 'Ads on search engines are no longer allowed.',
        de: 'Werbung in Suchmaschinen ist nicht mehr erlaubt.',
      },
      changes: {
        en: 'New or changed: “Affiliates do not advertise on search engines.”',
        de: 'Neu oder geändert: „Partner werben nicht in Suchmaschinen.“',
      },
    },
  },
} as const satisfies Record<string, MailKind>;

export type AffiliateMail = keyof typeof AFFILIATE_MAILS;
export const AFFILIATE_MAIL_NAMES = Object.keys(AFFILIATE_MAILS) as AffiliateMail[];

/** True if an account may choose not to send an email. */
export function isOptional(mail: AffiliateMail): boolean {
  const kind: MailKind = AFFILIATE_MAILS[mail];
  return kind.optional === true;
}

/** True for an email of the program: affiliates can end all of these together (docs/rules/program.md#mails-to-affiliates). */
export function isOfProgram(mail: AffiliateMail): boolean {
  const kind: MailKind = AFFILIATE_MAILS[mail];
  return kind.always !== true;
}

/** The value of a placeholder, or a function that returns it if the value depends on the language. */
export type MailValue = string | ((language: Language) => string);

/** The values of all placeholders of an email except `account_name`. If a value is empty, paragraphs that contain its placeholder are left out. */
export type MailValues<Mail extends AffiliateMail> = Record<keyof (typeof AFFILIATE_MAILS)[Mail]['placeholders'], MailValue>;

/** Returns the placeholders that the texts of an email may contain, with example values in a language. */
export function placeholdersOf(mail: AffiliateMail, language: Language = LANGUAGES[0]): Record<string, string> {
  const examples: MailKind['placeholders'] = AFFILIATE_MAILS[mail].placeholders;
  return {
    account_name: 'Northwind Tea',
    ...Object.fromEntries(Object.entries(examples).map(([name, example]) => [name, example[language]])),
  };
}
