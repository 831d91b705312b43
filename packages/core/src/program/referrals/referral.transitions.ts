import type { WriteCtx } from '../../platform/call/context.ts';
import type { Customer } from '../customers/customer.entity.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { emit } from '../../webhooks/events/emit.ts';
import type { EventType } from '../../webhooks/events/event-types.ts';
import { newId } from '../../platform/wire/ids.ts';
import { newRecordColumns } from '../../platform/call/records.ts';
import { Campaign } from '../campaigns/campaign.entity.ts';
import { plusDays } from '../../platform/time/instant.ts';
import { type ConversionState, Referral } from './referral.entity.ts';
import { getReferral } from './referral.queries.ts';
import type { ReferralEventData } from './referral.schema.ts';

export interface NewReferral {
  affiliate_id: string;
  campaign_id: string;
  link_id?: string | null;
  customer?: Customer | null;
  conversion_state?: ConversionState;
  /** When the visitor came; now, unless an event tells of it late. */
  arrived_at?: Instant;
  expires_at?: Instant;
}

/** Creates a referral and announces it: `referral.created`, and `referral.converted` when it starts converted. The caller has checked the references. */
export async function startReferral(ctx: WriteCtx, input: NewReferral): Promise<Referral> {
  const campaign = await ctx.em.findOneOrFail(Campaign, { id: input.campaign_id });
  const arrived = input.arrived_at ?? ctx.now;
  const referral = ctx.em.create(Referral, {
    ...newRecordColumns(ctx, newId('referral', ctx.clock.now())),
    affiliate_id: input.affiliate_id,
    campaign_id: input.campaign_id,
    link_id: input.link_id ?? null,
    customer_id: input.customer?.id ?? null,
    conversion_state: 'visitor',
    converted_at: null,
    expires_at: input.expires_at ?? plusDays(arrived, campaign.days_before_referrals_expire),
    deactivated_at: null,
  });
  const converted = referral.moveTo(input.conversion_state ?? 'visitor', arrived, ctx.now);
  await ctx.em.flush();
  await announce(ctx, 'referral.created', referral);
  if (converted) await announce(ctx, 'referral.converted', referral);
  return referral;
}

/** Moves a referral; entering `conversion` emits `referral.converted`. */
export async function moveReferral(ctx: WriteCtx, referral: Referral, state: ConversionState, at: Instant): Promise<void> {
  const converted = referral.moveTo(state, at, ctx.now);
  await ctx.em.flush();
  if (converted) await announce(ctx, 'referral.converted', referral);
}

async function announce(ctx: WriteCtx, type: EventType, referral: Referral): Promise<void> {
  const {
    id,
    affiliate_id,
    campaign_id,
    link_id,
    conversion_state,
    customer_id,
    psp_customer_id,
    expires_at,
    created_at,
    updated_at,
  } = await getReferral(ctx, referral);
  const data: ReferralEventData = {
    id,
    affiliate_id,
    campaign_id,
    link_id,
    conversion_state,
    customer_id,
    psp_customer_id,
    expires_at,
    created_at,
    updated_at,
  };
  await emit(ctx, type, data);
}
