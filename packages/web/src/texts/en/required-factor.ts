import { count, params, texts } from '../catalogue.ts';

export const t = texts('required-factor', {
  atOnce: 'At once',
  closesOn: 'Required of all members. From {date} the account is closed to members without one.',
  daysLater: count({ one: 'In {count} day', other: 'In {count} days' }),
  hint: 'Members can open this account without one. When you require it, those without one get an e-mail.',
  isRequired: 'The second factor is required. Members without one get an e-mail.',
  isVoluntary: 'The second factor is no longer required.',
  needed: params('{account} requires a second factor of its members. Set yours up with an authenticator app.'),
  ofAllMembers: 'Second factor of all members',
  open: params('Open {account}'),
  ownFirst: 'To require it, set up your own second factor first, in your profile.',
  profile: 'Open your profile',
  require: 'Require it',
  requiredSince: 'Required of all members since {date}. The account is closed to members without one.',
  setUp: 'Set up a second factor',
  soon: 'From {date} this account is closed to members without one, and you have none yet.',
  stop: 'No longer require it',
  when: 'When the account closes to members without one',
});
