/**
 * The mode of a sale, in TypeScript for one sale and in SQL for many (docs/rules/platform.md#modes). `livemode` is null on a sale that only
 * the merchant has reported. Such a sale is live.
 */
import { sql } from 'kysely';
import type { Sale } from './sale.entity.ts';

export function isLive({ livemode }: { livemode: boolean | null }): boolean {
  return livemode !== false;
}

/** SQL equivalent of `isLive` for a row of `sale`. */
export const IS_LIVE_SALE = sql<boolean>`(sale.livemode is distinct from false)`;

/** The known mode of a sale: a test sale, a live sale that only the merchant has reported, or another live sale. */
export const SALE_KINDS = { test: 0, merchant: 1, provider: 2 } as const;
export type SaleKind = (typeof SALE_KINDS)[keyof typeof SALE_KINDS];

export function kindOfSale({ livemode, external_id }: Pick<Sale, 'livemode' | 'external_id'>): SaleKind {
  if (livemode === false) return SALE_KINDS.test;
  return livemode === null && external_id !== null ? SALE_KINDS.merchant : SALE_KINDS.provider;
}

/** True if the amounts of a sale come from the payment provider. */
export function isReportedByProvider(sale: Pick<Sale, 'livemode' | 'external_id'>): boolean {
  return sale.livemode !== null || sale.external_id === null;
}

/** SQL equivalent of `kindOfSale` for a row of `sale`. The index `sale_customer` contains the same expression. */
export const KIND_OF_SALE = sql<SaleKind>`(case when sale.livemode is false then 0 when sale.livemode is null and sale.external_id is not null then 1 else 2 end)`;
