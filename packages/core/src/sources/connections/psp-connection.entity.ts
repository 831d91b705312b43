import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, type Row } from '../../platform/db/columns.ts';
import { type Instant, plusMilliseconds } from '../../platform/time/instant.ts';

/** How long a replaced webhook secret stays valid. The provider uses the same overlap. */
export const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** The treatment of an invoice that was paid outside the provider: it counts like any other payment, or nobody earns from it. */
export const OUTSIDE_PAYMENTS = ['count', 'exclude'] as const;
export type OutsidePayments = (typeof OUTSIDE_PAYMENTS)[number];

export const PspConnection = defineEntity({
  name: 'PspConnection',
  tableName: 'psp_connection',
  properties: {
    account_id: p.string().primary(),
    livemode: p.boolean(),
    psp_account_id: p.string(),
    psp_account_name: p.string().strictNullable(),
    /** The connected account of this platform that counts instead of the own account of the key. */
    connected_account_id: p.string().strictNullable(),
    /** Key of the metadata that contain the merchant's own id of the customer. Null if there is none. */
    customer_id_key: p.string().strictNullable(),
    outside_payments: p.string().$type<OutsidePayments>(),
    /** True if the service writes the ids of affiliate, campaign and commission into the metadata of customers and invoices. */
    write_back: p.boolean(),
    /** Time from which changes of commissions may not be written yet. */
    write_back_since: instant().strictNullable(),
    /** Why the last attempt to write metadata failed; null if it did not. */
    write_back_problem: p.string().strictNullable(),
    sealed_secret_key: p.string(),
    /** The endpoint at the provider that this service created; null if the merchant created it. */
    endpoint_id: p.string().strictNullable(),
    /** Time of the last check of the endpoint. */
    endpoint_checked_at: instant().strictNullable(),
    sealed_webhook_secret: p.string(),
    sealed_previous_webhook_secret: p.string().strictNullable(),
    previous_webhook_secret_expires_at: instant().strictNullable(),
    created_at: instant(),
    updated_at: instant(),
  },
});

/** The account's key for the payment provider, and the signing secret of the provider's events. Both are stored encrypted. */
export type PspConnection = Row<typeof PspConnection>;

/** The settings of a connection before the merchant changes them. */
export const INITIAL_SETTINGS = {
  connected_account_id: null,
  customer_id_key: 'customer_id',
  outside_payments: 'count',
  write_back: false,
  write_back_since: null,
  write_back_problem: null,
} as const satisfies Partial<PspConnection>;

/** The changes that set a new signing secret. The former secret stays valid for a day, because deliveries signed with it may be under way. */
export function rotatedWebhookSecret(connection: PspConnection, sealed: string, at: Instant): Partial<PspConnection> {
  return {
    sealed_previous_webhook_secret: connection.sealed_webhook_secret,
    previous_webhook_secret_expires_at: plusMilliseconds(at, OVERLAP_MS),
    sealed_webhook_secret: sealed,
    updated_at: at,
  };
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    psp_connection: InferKyselyTable<typeof PspConnection>;
  }
}
