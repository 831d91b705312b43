import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** Unique indexes of the rewards' tables, each with the reason why no input can violate it. */
export const REWARDS_CONSTRAINTS = {
  reward_rule_version_pkey: { internal: 'A version is added while its rule is locked.' },
  reward_revision_pkey: { internal: 'Rows are added with `on conflict`.' },
  affiliate_tier_pkey: { internal: 'The periods of an affiliate change under the lock of the affiliate.' },
  tier_schedule_pkey: { internal: 'Rows are added with `on conflict`.' },
  tier_check_pkey: { internal: 'Rows are added with `on conflict`.' },
} satisfies UniqueIndexes;
