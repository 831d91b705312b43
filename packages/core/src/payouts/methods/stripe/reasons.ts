import { reasons } from '../../../platform/texts/reason.ts';

/** Reasons that name Stripe, or the forms of its keys and ids. */
export const STRIPE_REASONS = reasons({
  account_form: {
    en: 'Enter the id of an account at Stripe, e.g. acct_1032D82eZvKYlo2C.',
    de: 'Bitte geben Sie die ID eines Kontos bei Stripe ein, z. B. acct_1032D82eZvKYlo2C.',
  },
  key_form: {
    en: 'Enter a restricted key, e.g. rk_live_….',
    de: 'Bitte geben Sie einen eingeschränkten Schlüssel ein, z. B. rk_live_….',
  },
});
