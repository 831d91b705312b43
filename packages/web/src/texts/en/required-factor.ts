import { count, params, texts } from '../catalogue.ts';

export const t = texts('required-factor', {
  atOnce: 'At once',
  closesOn: 'Required of all members. From {date} the account is closed to members without a second factor.',
  daysLater: count({ one: 'In {count} day', other: 'In {count} days' }),
  hint: 'Members can open this account without a second factor. If you require it, members who have not set one up get an email.',
  isRequired: 'The second factor is required. Members who have not set one up get an email.',
  isVoluntary: 'The second factor is no longer required.',
  needed: params('{account} requires its members to have a second factor. Set yours up with an authenticator app.'),
  ofAllMembers: 'Second factor of all members',
  open: params('Open {account}'),
  ownFirst: 'Before you can require a second factor, set up your own in your profile.',
  profile: 'Open your profile',
  require: 'Require it',
  requiredSince: 'Required of all members since {date}. The account is closed to members without a second factor.',
  setUp: 'Set up a second factor',
  soon: 'From {date} this account is closed to members without a second factor, and you have not set one up yet.',
  stop: 'No longer require it',
  when: 'When the account closes to members without a second factor',
});
