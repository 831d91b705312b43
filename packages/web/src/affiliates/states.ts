import type { Outputs } from '../api/client.ts';

export type Affiliate = Outputs['affiliates']['get'];

export const AFFILIATE_STATES = [
  'pending',
  'active',
  'disabled',
  'suspicious',
  'rejected',
] as const satisfies Affiliate['state'][];
