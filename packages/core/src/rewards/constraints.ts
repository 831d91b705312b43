import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** Unique indexes of the rewards' tables, each with the reason why no input can violate it. */
export const REWARDS_CONSTRAINTS = {
  reward_rule_version_pkey: { internal: 'A version is added while its rule is locked.' },
} satisfies UniqueIndexes;
