import type { Mount } from '@affiliate/core';
import { ROUTES, type Route } from '../routes.ts';
import { OVERVIEW, SETTINGS_OVERVIEW } from './overview.ts';

/** A contract: an OpenAPI document of the operations below some roots. */
interface Contract {
  title: string;
  /** Introduction of the contract. */
  description: string;
  mounts: readonly Mount[];
  /** True for the contract that describes the events, the tracking script, and the reports of sales. */
  hasTracking: boolean;
}

/** The contracts of the service. The name is also the name of the file that is served, e.g. `/openapi/v1.yaml`. */
export const CONTRACTS = {
  v1: {
    title: 'Affiliate program service',
    description: OVERVIEW,
    mounts: ['/api/v1', '/track', '/t'],
    hasTracking: true,
  },
  'settings-v1': {
    title: 'Affiliate program service: settings',
    description: SETTINGS_OVERVIEW,
    mounts: ['/api/settings/v1'],
    hasTracking: false,
  },
} as const satisfies Record<string, Contract>;

export type ContractName = keyof typeof CONTRACTS;
export const CONTRACT_NAMES = Object.keys(CONTRACTS) as ContractName[];

export function routesOf(name: ContractName): readonly Route[] {
  const mounts: readonly Mount[] = CONTRACTS[name].mounts;
  return ROUTES.filter(({ mount }) => mounts.includes(mount));
}
