import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** The errors for violations of the unique indexes of the portal's tables. */
export const PORTAL_CONSTRAINTS = {
  application_token: { internal: 'The token is random.' },
  program_terms_pkey: { message: 'Somebody else has published terms at the same time. Try again.' },
  terms_acceptance_pkey: { internal: 'Accepting again keeps the first proof.' },
  affiliate_application_pkey: { internal: 'Written once, with the affiliate.' },
  portal_access_token: { internal: 'The token is random.' },
} satisfies UniqueIndexes;
