import { params, texts } from '../catalogue.ts';

export const t = texts('portal', {
  accept: 'Accept',
  chooseAnswer: 'Choose an answer',
  digest: 'Mail about earned commissions',
  digestDaily: 'Every day',
  digestNone: 'None',
  digestWeekly: 'Every week',
  newTerms: 'Read and accept the terms of the program',
  noteFrom: params('{account} writes:'),
  noMoreDigests: params('You get no more digests from {account}.'),
  stopDigests: 'Stop the mails about earned commissions',
  stopDigestsExplained: 'You still get mails about payouts, and about changes of your account.',
  termsOfProgram: 'Terms of the program',
  unsubscribe: 'Unsubscribe',
});
