import { params, texts } from '../catalogue.ts';

/** Texts for signing up as an affiliate, and for people without a portal. */
export const t = texts('join', {
  acceptTerms: 'I have read the terms and accept them.',
  affiliateProgram: 'Affiliate program',
  apply: 'Apply',
  chooseAnswer: 'Choose an answer',
  confirm: 'Confirm',
  confirmAddress: 'Confirm your address',
  confirmationSent: params('We have sent an email to {email}. Open its link to send your application to {account}.'),
  confirmItIsYours: 'Confirm that this is your email address.',
  email: 'Email',
  join: params('Join {account}'),
  mustAcceptTerms: 'Read and accept the terms.',
  noProgram: 'No program yet',
  noProgramExplained: params(
    'You are signed in as {email}, but you are not an affiliate of any program. Ask for an invitation to this email address.',
  ),
  notApproved: 'Application not approved',
  notApprovedExplained: params('{account} has not approved your application for “{campaign}”.'),
  noteFrom: params('{account} writes:'),
  questions: params('Questions? Write to {email}.'),
  received: 'Application received',
  receivedExplained: params(
    '{account} has received your application for “{campaign}” and will review it. You get an email with the decision.',
  ),
  sent: params('{account} has your application.'),
  signInToSee: 'Sign in to see where it stands.',
  yourApplication: 'Your application',
});
