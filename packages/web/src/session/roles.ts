import type { Outputs } from '../api/client.ts';

/** What a person is in an account. */
export type Role = Outputs['session']['get']['accounts'][number]['role'];

const RANKS: Record<Role, number> = { member: 0, admin: 1, owner: 2 };

/** Weakest first. */
export const ROLES = Object.keys(RANKS) as Role[];

/** The service decides by the same order what a session may do; the pages only spare people what it would refuse. */
export function roleAtLeast(role: Role, needed: Role): boolean {
  return RANKS[role] >= RANKS[needed];
}
