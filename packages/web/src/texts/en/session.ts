import { params, texts } from '../catalogue.ts';

export const t = texts('session', {
  accountShown: 'Account',
  askForInvitation: params(
    'You are signed in as {email}, but you are not a member of any account. Ask an owner or admin to invite this email address.',
  ),
  askForRole: params('Your role in {account} is {role}. Ask an owner to change it.'),
  noAccess: 'No access',
  noAccount: 'No account yet',
  requiresRole: params('This page requires the {role} role'),
  signOut: 'Sign out',
});
