import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  description: {
    en: 'People with access to this account, and invitations to join it or to become an affiliate.',
    de: 'Personen mit Zugriff auf dieses Konto und Einladungen, ihm beizutreten oder Partner zu werden.',
  },
  invitationResent: {
    en: 'Invitation resent to {email}. The previous link no longer works.',
    de: 'Die Einladung an {email} wurde erneut gesendet. Der vorige Link gilt nicht mehr.',
  },
  invitationSentTo: { en: 'Invitation sent to {email}.', de: 'Einladung an {email} gesendet.' },
  invite: { en: 'Invite', de: 'Einladen' },
  inviteAffiliate: { en: 'Invite an affiliate', de: 'Partner einladen' },
  inviteAs: { en: 'Invite as', de: 'Einladen als' },
  invitedAs: { en: 'Invited as', de: 'Eingeladen als' },
  joined: { en: 'Joined', de: 'Beigetreten' },
  member: { en: 'Member', de: 'Mitglied' },
  membersAndInvitations: { en: 'Members and invitations', de: 'Mitglieder und Einladungen' },
  membersViewTheProgramAnd: {
    en: 'Viewers look. Finance also pays, and changes payout details. Members view the program and manage affiliates. Admins also pay, and manage campaigns, payouts, and settings. Owners also manage owners.',
    de: 'Betrachter sehen alles an. Finanzen zahlt auch aus und ändert Auszahlungsdaten. Mitglieder sehen das Programm und verwalten Partner. Administratoren verwalten auch Kampagnen, Auszahlungen und Einstellungen. Inhaber verwalten auch Inhaber.',
  },
  noInvitations: { en: 'No invitations', de: 'Keine Einladungen' },
  noInvitationsHint: {
    en: 'Invite people to join your team or a campaign. They receive a link by email.',
    de: 'Laden Sie Personen in Ihr Team oder in eine Kampagne ein. Sie erhalten einen Link per E-Mail.',
  },
  off: { en: 'Off', de: 'Aus' },
  on: { en: 'On', de: 'An' },
  removeConsequence: {
    en: 'They lose access to this account. They can still sign in to their other accounts.',
    de: 'Die Person verliert den Zugriff auf dieses Konto. Bei ihren anderen Konten kann sie sich weiter anmelden.',
  },
  removeSecondFactor: { en: 'Remove second factor', de: 'Zweiten Faktor entfernen' },
  removeSecondFactorConsequence: {
    en: 'Afterwards, a password or a sign-in link is enough to sign in. The person gets an email. Before you continue, make sure that they are who they say they are.',
    de: 'Zum Anmelden genügt dann ein Passwort oder ein Link. Die Person erhält eine E-Mail. Vergewissern Sie sich, dass sie die ist, die sie zu sein angibt.',
  },
  resend: { en: 'Resend', de: 'Erneut senden' },
  resendOf: { en: 'Resend: {email}', de: 'Erneut senden: {email}' },
  revokeConsequence: { en: 'The link in the email stops working.', de: 'Der Link in der E-Mail gilt dann nicht mehr.' },
  role: { en: 'Role', de: 'Rolle' },
  roleChanged: { en: 'Role of {email} changed to {role}.', de: 'Die Rolle von {email} ist jetzt {role}.' },
  roleOf: { en: 'Role of {email}', de: 'Rolle von {email}' },
  sendInvitation: { en: 'Send invitation', de: 'Einladung senden' },
  sent: { en: 'Sent', de: 'Gesendet' },
  teamMember: { en: 'Team member', de: 'Teammitglied' },
});
