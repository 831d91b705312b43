import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** Meaning of each unique index of the program's tables. */
export const PROGRAM_CONSTRAINTS = {
  affiliate_email: { field: 'email', message: 'Another affiliate has this e-mail address.' },
  affiliate_external_id: { field: 'external_id', message: 'Another affiliate has this external_id.' },
  campaign_account_id_slug_key: { field: 'slug', message: 'Another campaign already has this slug.' },
  campaign_one_default: { message: 'Another request changed the default campaign at the same time. Try again.' },
  invitation_one_pending: {
    field: 'email',
    message: 'This address already has a pending invitation of this kind. Resend that one.',
  },
  link_token: { field: 'token', message: 'Another link already has this token.' },
  // Two sales may bind one new customer at the same time. The transaction of the second sale is repeated and finds the customer bound.
  referral_customer: { field: 'customer_email', message: 'This customer already belongs to another referral.', retry: true },
  customer_email: { internal: 'Customers are found or created.' },
  customer_psp: { internal: 'Customers are found or created.' },
  invitation_token_hash_key: { internal: 'The token is random.' },
  mail_template_pkey: { internal: 'Writing a template again replaces it.' },
  mail_translation_pkey: { internal: 'Writing a template again replaces it.' },
  referral_source_pkey: { internal: 'Written once, with the referral.' },
  visitor_count_key: { internal: 'A purge adds to the row of the day.' },
  link_clicks_pkey: { internal: 'The next click counts in the row of the day.' },
} satisfies UniqueIndexes;

/**
 * Foreign keys to customers. A violation is worth retrying: the customer may have been merged into another one while the transaction waited
 * for the lock of the customer.
 */
export const KEYS_OF_CUSTOMERS = ['attribution_claim_customer_id_fkey', 'referral_customer_id_fkey', 'sale_customer_id_fkey'];
