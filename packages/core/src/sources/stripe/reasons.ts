import { reasons } from '../../platform/texts/reason.ts';

/** Reasons that name Stripe, or the forms of its keys and ids. */
export const STRIPE_REASONS = reasons({
  endpoint_refused: {
    en: 'Stripe did not create the endpoint {url}. {said}',
    de: 'Stripe hat den Endpunkt {url} nicht angelegt. {said}',
  },
  signing_secret_form: {
    en: 'Enter a signing secret, e.g. whsec_….',
    de: 'Geben Sie einen Signaturschlüssel ein, z. B. whsec_….',
  },
  connected_account_form: {
    en: 'Enter the ID of a connected account, e.g. acct_1032D82eZvKYlo2C.',
    de: 'Geben Sie die ID eines verbundenen Kontos ein, z. B. acct_1032D82eZvKYlo2C.',
  },
  metadata_key_form: {
    en: 'Enter a key of Stripe metadata, at most 40 characters, e.g. customer_id.',
    de: 'Geben Sie einen Schlüssel der Metadaten in Stripe ein, höchstens 40 Zeichen, z. B. customer_id.',
  },
  key_form: {
    en: 'Enter a secret key of the payment provider, e.g. sk_test_… or rk_live_….',
    de: 'Geben Sie einen geheimen Schlüssel des Zahlungsanbieters ein, z. B. sk_test_… oder rk_live_….',
  },
  test_key_needed: {
    en: 'In test mode, enter a key of the payment provider’s test mode, e.g. rk_test_….',
    de: 'Geben Sie im Testmodus einen Schlüssel des Testmodus ein, z. B. rk_test_….',
  },
  key_lacks_permissions: {
    en: 'The key lacks permissions: {permissions}. Add them to the key in Stripe.',
    de: 'Dem Schlüssel fehlen Rechte: {permissions}. Fügen Sie sie in Stripe hinzu.',
  },
});
