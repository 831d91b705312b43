import { params, texts } from '../catalogue.ts';

export const t = texts('account', {
  account: 'Account',
  accountId: 'Account ID',
  accountUpdated: 'Account updated.',
  copied: 'Copied',
  copy: 'Copy',
  copyAccountId: 'Copy account ID',
  daysOfAnalyticsBeginAt: 'Days of analytics begin at its midnight.',
  defaultCurrency: 'Default currency',
  name: 'Name',
  sendItInTheX: 'Send it in the X-Account-Id header of every API request.',
  shownInTheApplicationAnd: 'Shown in the application and in invitations.',
  theNameDefaultCurrencyAnd: 'The name, default currency and time zone of this account.',
  thisInstallationRunsVersionIts: params(
    'This installation runs version {version}. Its operator can upgrade it while it is in use.',
  ),
  timeZone: 'Time zone',
  usedForNewAmountsExisting: 'Used for new amounts. Existing amounts keep their currency.',
  versionIsAvailable: params('Version {newerVersion} is available'),
});
