import { params, texts } from '../catalogue.ts';

export const t = texts('invitation', {
  aUserWithTheE: params('A user with the e-mail address {email} already exists. Sign in to accept the invitation.'),
  accept: 'Accept',
  accepted: 'This invitation was accepted already.',
  atLeast8CharactersUse: 'At least 8 characters. Use it with this e-mail address to sign in.',
  expired: 'This invitation has expired. Ask for a new one.',
  invitation: 'Invitation',
  invitationAcceptedYouAreNow: 'Invitation accepted. You are now an affiliate.',
  invitesToBecomeAnAffiliate: params('{accountName} invites {email} to become an affiliate in the campaign “{campaignName}”.'),
  invitesToJoinItsTeam: params('{accountName} invites {email} to join its team with the role {role}.'),
  password: 'Password',
  revoked: 'This invitation was revoked. Ask for a new one.',
  signIn: 'Sign in',
  signInToYourPortal: 'Sign in to your portal',
  youAreSignedInAs: params('You are signed in as {signedInAs}. To accept this invitation as {email}, sign out first.'),
});
