import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/invitation.ts';

export const invitation: TranslationOf<typeof t> = {
  aUserWithTheE: 'Einen Benutzer mit der E-Mail-Adresse {email} gibt es schon. Melden Sie sich an, um die Einladung anzunehmen.',
  accept: 'Annehmen',
  accepted: 'Diese Einladung wurde schon angenommen.',
  atLeast8CharactersUse: 'Mindestens 8 Zeichen. Damit melden Sie sich mit dieser E-Mail-Adresse an.',
  expired: 'Diese Einladung ist abgelaufen. Bitten Sie um eine neue.',
  invitation: 'Einladung',
  invitationAcceptedYouAreNow: 'Einladung angenommen. Sie sind jetzt Partner.',
  invitesToBecomeAnAffiliate: '{accountName} lädt {email} ein, Partner in der Kampagne „{campaignName}“ zu werden.',
  invitesToJoinItsTeam: '{accountName} lädt {email} mit der Rolle {role} in das Team ein.',
  password: 'Passwort',
  revoked: 'Diese Einladung wurde zurückgezogen. Bitten Sie um eine neue.',
  signIn: 'Anmelden',
  signInToYourPortal: 'In Ihrem Portal anmelden',
  youAreSignedInAs: 'Sie sind als {signedInAs} angemeldet. Um diese Einladung als {email} anzunehmen, melden Sie sich zuerst ab.',
};
