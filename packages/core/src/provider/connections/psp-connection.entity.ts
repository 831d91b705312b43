import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant } from '../../platform/db/columns.ts';
import { type Instant, plusMilliseconds } from '../../platform/time/instant.ts';

/** How long a replaced webhook secret stays valid. The provider uses the same overlap. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

export const PspConnectionSchema = defineEntity({
  name: 'PspConnection',
  tableName: 'psp_connection',
  properties: {
    account_id: p.string().primary(),
    livemode: p.boolean(),
    psp_account_id: p.string(),
    psp_account_name: p.string().strictNullable(),
    sealed_secret_key: p.string(),
    sealed_webhook_secret: p.string(),
    sealed_previous_webhook_secret: p.string().strictNullable(),
    previous_webhook_secret_expires_at: instant().strictNullable(),
    created_at: instant(),
    updated_at: instant(),
  },
});

/** The account's key for the payment provider, and the signing secret of the provider's events. Both are stored encrypted. */
export class PspConnection extends PspConnectionSchema.class {
  /** Sets a new signing secret. The former secret stays valid for a day, because deliveries signed with it may be under way. */
  rotateWebhookSecret(sealed: string, at: Instant): void {
    this.sealed_previous_webhook_secret = this.sealed_webhook_secret;
    this.previous_webhook_secret_expires_at = plusMilliseconds(at, OVERLAP_MS);
    this.sealed_webhook_secret = sealed;
    this.updated_at = at;
  }
}
PspConnectionSchema.setClass(PspConnection);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    psp_connection: InferKyselyTable<typeof PspConnectionSchema>;
  }
}
