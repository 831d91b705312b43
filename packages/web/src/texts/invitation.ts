import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  accept: { en: 'Accept', de: 'Annehmen' },
  accepted: { en: 'This invitation has already been accepted.', de: 'Diese Einladung wurde schon angenommen.' },
  affiliateAccepted: {
    en: 'Invitation accepted. You are now an affiliate.',
    de: 'Einladung angenommen. Sie sind jetzt Partner.',
  },
  affiliateInvitation: {
    en: '{accountName} invites {email} to become an affiliate in the campaign “{campaignName}”.',
    de: '{accountName} lädt {email} ein, Partner in der Kampagne „{campaignName}“ zu werden.',
  },
  expired: {
    en: 'This invitation has expired. Ask for a new one.',
    de: 'Diese Einladung ist abgelaufen. Bitten Sie um eine neue.',
  },
  invitation: { en: 'Invitation', de: 'Einladung' },
  memberInvitation: {
    en: '{accountName} invites {email} to join its team with the role {role}.',
    de: '{accountName} lädt {email} mit der Rolle {role} in das Team ein.',
  },
  otherUserSignedIn: {
    en: 'You are signed in as {signedInAs}. To accept this invitation as {email}, sign out first.',
    de: 'Sie sind als {signedInAs} angemeldet. Um diese Einladung als {email} anzunehmen, melden Sie sich zuerst ab.',
  },
  passwordHint: {
    en: 'At least 8 characters. Use it with this email address to sign in.',
    de: 'Mindestens 8 Zeichen. Damit melden Sie sich mit dieser E-Mail-Adresse an.',
  },
  revoked: {
    en: 'This invitation was revoked. Ask for a new one.',
    de: 'Diese Einladung wurde zurückgezogen. Bitten Sie um eine neue.',
  },
  signInToPortal: { en: 'Sign in to your portal', de: 'In Ihrem Portal anmelden' },
  userExists: {
    en: 'A user with the email address {email} already exists. Sign in to accept the invitation.',
    de: 'Einen Benutzer mit der E-Mail-Adresse {email} gibt es schon. Melden Sie sich an, um die Einladung anzunehmen.',
  },
});
