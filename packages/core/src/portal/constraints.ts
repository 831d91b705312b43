import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** The errors for violations of the unique indexes of the portal's tables. */
export const PORTAL_CONSTRAINTS = {
  portal_access_token: { internal: 'The token is random.' },
} satisfies UniqueIndexes;
