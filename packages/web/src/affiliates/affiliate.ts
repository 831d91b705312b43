import type { Outputs } from '../api/client.ts';

export type Affiliate = Outputs['affiliates']['get'];
