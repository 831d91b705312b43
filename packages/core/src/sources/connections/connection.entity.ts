import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, type Row } from '../../platform/db/columns.ts';
import { type Instant, plusMilliseconds } from '../../platform/time/instant.ts';
import type { ConnectionSettings, ProviderMode } from '../port/port.ts';

/** How long a replaced webhook secret stays valid. The provider uses the same overlap. */
export const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** The treatment of an invoice that was paid outside the provider: it counts like any other payment, or nobody earns from it. */
export const OUTSIDE_PAYMENTS = ['count', 'exclude'] as const;
export type OutsidePayments = (typeof OUTSIDE_PAYMENTS)[number];

interface UnfinishedLook {
  started: Instant;
  /** Missing before the first page is complete. */
  place?: string;
}

export const Connection = defineEntity({
  name: 'Connection',
  tableName: 'connection',
  properties: {
    id: p.string().primary(),
    account_id: p.string(),
    /** Kind of the source, as the table of sources names it. */
    source: p.string(),
    mode: p.string().$type<ProviderMode>(),
    /** A disconnected connection has no secrets. Its names and settings stay, and connecting the source again continues it. */
    state: p.string().$type<'connected' | 'disconnected'>(),
    /** The merchant's account at the provider. */
    psp_account_id: p.string(),
    psp_account_name: p.string().strictNullable(),
    /** Settings that only the source understands. */
    settings: p.json().$type<ConnectionSettings>(),
    outside_payments: p.string().$type<OutsidePayments>(),
    /** True if the service writes the ids of affiliate, campaign and commission into the metadata of customers and invoices. */
    write_back: p.boolean(),
    /** Time from which changes of commissions may not be written yet. */
    write_back_since: instant().strictNullable(),
    /** Why the last attempt to write metadata failed; null if it did not. */
    write_back_problem: p.string().strictNullable(),
    /** The key of the merchant's account at the provider. */
    sealed_credentials: p.string().strictNullable(),
    /** Time from which the provider refuses the key, if the provider has announced it. */
    key_expires_at: instant().strictNullable(),
    /** The endpoint at the provider that this service created; null if the merchant created it. */
    endpoint_id: p.string().strictNullable(),
    /** Time of the last check of the endpoint. */
    endpoint_checked_at: instant().strictNullable(),
    sealed_webhook_secret: p.string().strictNullable(),
    sealed_previous_webhook_secret: p.string().strictNullable(),
    previous_webhook_secret_expires_at: instant().strictNullable(),
    /** Time of the last look for events that were not delivered. */
    looked_at: instant().strictNullable(),
    /** Time up to which all events are known. Null before the first look: those since the connection was made may be missing. */
    complete_until: instant().strictNullable(),
    /** Time since which the history of the source has to be read. Null if there is nothing to read. */
    history_since: instant().strictNullable(),
    /** Why the last attempt to read the history failed; null if it did not. */
    history_problem: p.string().strictNullable(),
    /** Why the provider could not be asked at the last look; null if it could. */
    look_problem: p.string().strictNullable(),
    /** The look that was cut off, or is going on: its beginning, and where it goes on. Null once everything has been read. */
    unfinished_look: p.json<UnfinishedLook>().strictNullable(),
    created_at: instant(),
    updated_at: instant(),
  },
});

/** A merchant's account at a provider, with the key for it and the signing secret of its events. Key and secrets are stored encrypted. */
export type Connection = Row<typeof Connection>;

/** A new connection, before the merchant changes its settings and before anything happens. */
export const INITIAL = {
  state: 'connected',
  outside_payments: 'count',
  write_back: false,
  write_back_since: null,
  write_back_problem: null,
  history_since: null,
  history_problem: null,
  look_problem: null,
  key_expires_at: null,
  endpoint_id: null,
  endpoint_checked_at: null,
  sealed_previous_webhook_secret: null,
  previous_webhook_secret_expires_at: null,
  looked_at: null,
  unfinished_look: null,
} as const satisfies Partial<Connection>;

/** The changes that set a new signing secret. The former secret stays valid for a day, because deliveries signed with it may be under way. */
export function rotatedWebhookSecret(connection: Connection, sealed: string, at: Instant): Partial<Connection> {
  return {
    sealed_previous_webhook_secret: connection.sealed_webhook_secret,
    previous_webhook_secret_expires_at: plusMilliseconds(at, OVERLAP_MS),
    sealed_webhook_secret: sealed,
    updated_at: at,
  };
}

/** The changes that disconnect: all secrets go. */
export function disconnected(at: Instant) {
  return {
    state: 'disconnected',
    sealed_credentials: null,
    key_expires_at: null,
    endpoint_id: null,
    unfinished_look: null,
    sealed_webhook_secret: null,
    sealed_previous_webhook_secret: null,
    previous_webhook_secret_expires_at: null,
    updated_at: at,
  } as const satisfies Partial<Connection>;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    connection: InferKyselyTable<typeof Connection>;
  }
}
