import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/invitation.ts';

export const invitation: TranslationOf<typeof t> = {
  accept: 'Annehmen',
  accepted: 'Diese Einladung wurde schon angenommen.',
  affiliateAccepted: 'Einladung angenommen. Sie sind jetzt Partner.',
  affiliateInvitation: '{accountName} lädt {email} ein, Partner in der Kampagne „{campaignName}“ zu werden.',
  expired: 'Diese Einladung ist abgelaufen. Bitten Sie um eine neue.',
  invitation: 'Einladung',
  memberInvitation: '{accountName} lädt {email} mit der Rolle {role} in das Team ein.',
  otherUserSignedIn:
    'Sie sind als {signedInAs} angemeldet. Um diese Einladung als {email} anzunehmen, melden Sie sich zuerst ab.',
  password: 'Passwort',
  passwordHint: 'Mindestens 8 Zeichen. Damit melden Sie sich mit dieser E-Mail-Adresse an.',
  revoked: 'Diese Einladung wurde zurückgezogen. Bitten Sie um eine neue.',
  signIn: 'Anmelden',
  signInToPortal: 'In Ihrem Portal anmelden',
  userExists: 'Einen Benutzer mit der E-Mail-Adresse {email} gibt es schon. Melden Sie sich an, um die Einladung anzunehmen.',
};
