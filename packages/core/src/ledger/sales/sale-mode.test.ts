import { expect, it } from 'vitest';
import { isLive, isReportedByProvider, kindOfSale, SALE_KINDS } from './sale.entity.ts';

it.each([
  ['the merchant', { livemode: null, external_id: 'order 1' }, 'merchant', true, false],
  ['the merchant, and then the provider', { livemode: true, external_id: 'order 1' }, 'provider', true, true],
  ['the merchant, and then the provider in test mode', { livemode: false, external_id: 'order 1' }, 'test', false, true],
  ['the provider', { livemode: true, external_id: null }, 'provider', true, true],
  ['the provider, before modes were known', { livemode: null, external_id: null }, 'provider', true, true],
  ['the provider in test mode', { livemode: false, external_id: null }, 'test', false, true],
] as const)('a sale that was told by %s', (_, sale, kind, live, byProvider) => {
  expect([kindOfSale(sale), isLive(sale), isReportedByProvider(sale)]).toEqual([SALE_KINDS[kind], live, byProvider]);
});
