import type { Outputs } from '../api/client.ts';

export type Campaign = Outputs['campaigns']['list']['data'][number];
