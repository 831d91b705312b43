import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { insert, newRecordColumns } from '../../platform/call/records.ts';
import { jsonString } from '../../platform/db/json-text.ts';
import { newId } from '../../platform/wire/ids.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import type { ProviderPromotionCode } from '../../sources/port/capabilities.ts';
import { isOwnMode } from '../../sources/port/port.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import { CODE_REASONS } from '../reasons.ts';
import { observationOf } from './observation.ts';
import { PromoCode, type PromoCodeOrigin } from './promo-code.entity.ts';
import { PromoCodeAssignment, PromoCodeEventData, type PromoCodeWarning } from './promo-code.schema.ts';

export interface Assignee {
  affiliateId: string;
  campaignId: string;
}

const WIRE = wireRecord(PromoCode, PromoCodeAssignment);

/** Returns the wire record of an assignment. */
export function promoCodeAssignment(row: PromoCode): PromoCodeAssignment {
  return { ...WIRE.of(row), ...(row.origin === 'own' && { psp_promotion_code_id: null }) };
}

const EVENT_DATA = wireRecord(PromoCode, PromoCodeEventData);

export const ANNOUNCED_PROMO_CODE: AnnouncedRecord = {
  table: PromoCode.meta.tableName,
  columns: EVENT_DATA.columns,
  // The code of an affiliate's coupon is no assignment.
  record: () => sql`select * from promo_code where id = change.id and origin <> 'affiliate_coupon'`,
  data: {
    ...EVENT_DATA.json('record', {}),
    psp_promotion_code_id: jsonString(sql`case when record.origin = 'own' then null else record.psp_promotion_code_id end`),
  },
  types: [['promo_code.created', CREATED]],
  updated: 'promo_code.updated',
};

/** Creates the assignment of a code that exists at the provider. */
export function createAssignment(
  ctx: WriteCtx,
  assignee: Assignee,
  origin: Exclude<PromoCodeOrigin, 'own'>,
  code: ProviderPromotionCode,
): PromoCode {
  return insertCode(ctx, assignee, { origin, ...columnsOf(ctx, code) });
}

/** Returns the columns that follow from what the provider tells of a code. */
function columnsOf({ accountId, now }: Ctx, code: ProviderPromotionCode) {
  return {
    psp_promotion_code_id: code.id,
    psp_coupon_id: code.couponId,
    code: code.code,
    livemode: isOwnMode(accountId, code.mode),
    status: code.active ? ('active' as const) : ('inactive' as const),
    observation: observationOf(code),
    observed_at: now,
  };
}

/** Creates the assignment of a code of the merchant's own shop. */
export function createOwnAssignment(ctx: WriteCtx, assignee: Assignee, code: string): PromoCode {
  return insertCode(ctx, assignee, {
    origin: 'own',
    psp_promotion_code_id: ownCodeId(code),
    psp_coupon_id: null,
    code,
    // A test account stores its codes as live ones.
    livemode: true,
    status: 'active',
    observation: null,
    observed_at: null,
  });
}

/** Stands for the id at the provider. Codes of own shops differ by their text, whatever its case. */
export function ownCodeId(code: string): string {
  return `own:${code.toLowerCase()}`;
}

/** The unique index `promo_code_owner` decides between concurrent requests. */
function insertCode(
  ctx: WriteCtx,
  { affiliateId, campaignId }: Assignee,
  code: Pick<
    PromoCode,
    'origin' | 'psp_promotion_code_id' | 'psp_coupon_id' | 'code' | 'livemode' | 'status' | 'observation' | 'observed_at'
  >,
): PromoCode {
  return insert(ctx, PromoCode, {
    ...newRecordColumns(ctx, newId('promo_code', ctx.clock.now())),
    affiliate_id: affiliateId,
    campaign_id: campaignId,
    ...code,
    tracking_token: `ptk_${randomBytes(18).toString('base64url')}`,
    stopped_at: null,
  });
}

/** Returns the assignment that would result from importing `code`. */
export function previewImport(ctx: Ctx, assignee: Assignee, code: ProviderPromotionCode): PromoCodeAssignment {
  return { ...notCreatedYet(assignee), ...columnsOf(ctx, code) };
}

/** Returns the assignment that would result from creating a code. */
export function previewCreation(
  assignee: Assignee,
  input: { code: string; couponId: string; livemode: boolean },
): PromoCodeAssignment {
  return {
    ...notCreatedYet(assignee),
    psp_promotion_code_id: null,
    psp_coupon_id: input.couponId,
    code: input.code,
    livemode: input.livemode,
    status: 'active',
    observation: null,
    observed_at: null,
  };
}

function notCreatedYet({ affiliateId, campaignId }: Assignee) {
  return {
    id: null,
    affiliate_id: affiliateId,
    campaign_id: campaignId,
    tracking_token: null,
    stopped_at: null,
    created_at: null,
    updated_at: null,
  };
}

/** Returns the warnings that a merchant should read before relying on a code. */
export function warningsAbout(code: ProviderPromotionCode): PromoCodeWarning[] {
  const warnings: PromoCodeWarning[] = [];
  if (!code.active) warnings.push({ code: 'inactive', message: String(CODE_REASONS.code_inactive) });
  if (code.customerId) warnings.push({ code: 'restricted_to_customer', message: String(CODE_REASONS.code_of_one_customer) });
  return warnings;
}
