import { params, texts } from '../catalogue.ts';

export const t = texts('invitation', {
  accept: 'Accept',
  accepted: 'This invitation has already been accepted.',
  affiliateAccepted: 'Invitation accepted. You are now an affiliate.',
  affiliateInvitation: params('{accountName} invites {email} to become an affiliate in the campaign “{campaignName}”.'),
  expired: 'This invitation has expired. Ask for a new one.',
  invitation: 'Invitation',
  memberInvitation: params('{accountName} invites {email} to join its team with the role {role}.'),
  otherUserSignedIn: params('You are signed in as {signedInAs}. To accept this invitation as {email}, sign out first.'),
  password: 'Password',
  passwordHint: 'At least 8 characters. Use it with this email address to sign in.',
  revoked: 'This invitation was revoked. Ask for a new one.',
  signIn: 'Sign in',
  signInToPortal: 'Sign in to your portal',
  userExists: params('A user with the email address {email} already exists. Sign in to accept the invitation.'),
});
