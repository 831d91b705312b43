import { count, params, texts } from '../catalogue.ts';

export const t = texts('applications', {
  answers: 'Answers',
  applicant: 'Applicant',
  applications: 'Applications',
  applied: 'Applied',
  appliedOn: 'Applied on',
  approve: 'Approve',
  approved: count({ one: '{count} application approved.', other: '{count} applications approved.' }),
  campaign: 'Campaign',
  chooseAll: 'Choose all',
  chooseOne: params('Choose {name}'),
  description: 'Applicants who wait for your decision, oldest first.',
  none: 'No applications are waiting',
  noneExplained: 'New applications from your sign-up pages appear here.',
  note: 'Note to the applicants',
  noteExplained: 'Optional. Shown in the email about your decision, and in the portal.',
  noteSent: 'Your note:',
  reject: 'Reject',
  rejected: count({ one: '{count} application rejected.', other: '{count} applications rejected.' }),
});
