import type { Texts } from '../platform/texts/texts.ts';

/** Texts of invitations and test emails. Accounts cannot replace these with their own texts. */
export const PROGRAM_MAILS = {
  invitation: {
    toMember: { en: 'Join {account}', de: 'Einladung zu {account}' },
    team: {
      en: 'You have been invited to join the team of {account}.',
      de: 'Sie sind eingeladen, dem Team von {account} beizutreten.',
    },
    toAffiliate: { en: 'Become an affiliate of {account}', de: 'Werden Sie Partner von {account}' },
    program: {
      en: '{account} invites you to promote “{campaign}” and earn commissions on your referrals.',
      de: '{account} lädt Sie ein, „{campaign}“ zu empfehlen und für Ihre Empfehlungen Provisionen zu erhalten.',
    },
    link: { en: 'View invitation', de: 'Einladung ansehen' },
    closing: {
      en: 'The link can be used once and expires on {day}. If you did not expect this invitation, ignore this email.',
      de: 'Der Link gilt einmal und bis zum {day}. Wenn Sie diese Einladung nicht erwartet haben, ignorieren Sie diese E-Mail.',
    },
  },
  setupTest: {
    subject: { en: 'Test of your mail settings', de: 'Test Ihrer E-Mail-Einstellungen' },
    works: { en: 'Your affiliate program can send email.', de: 'Ihr Partnerprogramm kann E-Mails senden.' },
    link: { en: 'Open the service', de: 'Dienst öffnen' },
    closing: {
      en: 'Someone who is setting up this installation requested this message.',
      de: 'Jemand, der diese Installation einrichtet, hat diese Nachricht angefordert.',
    },
  },
} as const satisfies Texts;
