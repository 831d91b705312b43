import { params, texts } from '../catalogue.ts';

export const t = texts('account', {
  account: 'Account',
  accountId: 'Account ID',
  accountIdHint: 'Send it in the X-Account-Id header of every API request.',
  accountUpdated: 'Account updated.',
  copied: 'Copied',
  copy: 'Copy',
  copyAccountId: 'Copy account ID',
  currencyHint: 'Used for new amounts. Existing amounts keep their currency.',
  defaultCurrency: 'Default currency',
  description: 'The name, default currency, time zone and language of this account.',
  mailLanguage: 'Language of emails',
  mailLanguageHint: 'Used for people who have not chosen a language, and whose browser’s language is unknown.',
  name: 'Name',
  nameHint: 'Shown in the application and in invitations.',
  newerVersion: params('This installation runs version {version}. Its operator can upgrade it while it is in use.'),
  timeZone: 'Time zone',
  timeZoneHint: 'Days in analytics start at midnight in this time zone.',
  versionIsAvailable: params('Version {newerVersion} is available'),
});
