import { randomBytes } from 'node:crypto';
import type { WriteCtx } from '../../platform/call/context.ts';
import { get, insert, lock, newRecordColumns, referenced, save } from '../../platform/call/records.ts';
import { changesOfMerchantData, newMerchantColumns } from '../../platform/call/save-merchant-data.ts';
import { cannotRestore, invalid } from '../../platform/errors/errors.ts';
import { newId } from '../../platform/wire/ids.ts';
import { slugify } from '../../platform/wire/latin.ts';
import { Affiliate } from '../affiliates/affiliate.entity.ts';
import { Campaign, isActive } from '../campaigns/campaign.entity.ts';
import { PROGRAM_REASONS } from '../reasons.ts';
import { assertChoosable, findFreeToken, lockTokens, refusalOfToken } from './link-token.ts';
import { type CreateLink, getLink, Link, type LinkRecord, type UpdateLink } from './link.ts';

const RANDOM_BYTES = 6;

/**
 * Returns a token that is free in the account. The token is made from the affiliate's name, with a number if the name is taken. It is
 * random if the campaign's tokens are private, or if the name yields no token. Concurrent calls get different tokens.
 */
async function freeToken(
  ctx: WriteCtx,
  affiliate: { email: string; first_name: string | null; last_name: string | null },
  isPrivate: boolean,
): Promise<string> {
  const name = [affiliate.first_name, affiliate.last_name].filter(Boolean).join(' ') || affiliate.email.split('@')[0]!;
  const base = isPrivate ? '' : slugify(name).slice(0, 40);
  if (base === '') return randomToken();
  return (await findFreeToken(ctx, base)) ?? randomToken();
}

function randomToken(): string {
  return randomBytes(RANDOM_BYTES).toString('hex');
}

/**
 * Creates a link, with a generated token if none is given. Throws VALIDATION_ERROR for an unknown or archived affiliate or campaign, and
 * for a token that is taken.
 */
export async function createLink(ctx: WriteCtx, input: CreateLink): Promise<LinkRecord> {
  const affiliate = await affiliateOf(ctx, input.affiliate_id);
  const campaign = await campaignOf(ctx, input.campaign_id);
  const token = input.token ?? (await freeToken(ctx, affiliate, campaign.private_tokens));
  return getLink(ctx, addLink(ctx, { ...input, token }).id);
}

/** Adds a link. The caller has checked that its affiliate and its campaign are not archived. */
export function addLink(ctx: WriteCtx, input: CreateLink & { token: string }): Link {
  return insert(ctx, Link, {
    ...newRecordColumns(ctx, newId('link', ctx.clock.now())),
    ...newMerchantColumns(input),
    affiliate_id: input.affiliate_id,
    campaign_id: input.campaign_id,
    url: input.url,
    token: input.token,
    former_token: null,
    token_replaced_at: null,
    label: null,
    archived_at: null,
  });
}

/** Changes the given fields; `archived_at: null` restores an archived link. Throws NOT_FOUND, VALIDATION_ERROR, CONFLICT. */
export async function updateLink(ctx: WriteCtx, { id, external_id, metadata, ...input }: UpdateLink): Promise<LinkRecord> {
  const link = await lock(ctx, Link, id);
  if (input.affiliate_id !== undefined && input.affiliate_id !== link.affiliate_id) await affiliateOf(ctx, input.affiliate_id);
  if (input.campaign_id !== undefined && input.campaign_id !== link.campaign_id) await campaignOf(ctx, input.campaign_id);
  const isRestored = input.archived_at === null && link.archived_at !== null;
  if (isRestored) await assertRestorable(ctx, { ...link, ...input });
  save(ctx, Link, link, {
    ...input,
    ...changesOfMerchantData(link, { external_id, metadata }),
    ...(input.token !== undefined && input.token !== link.token && { token_replaced_at: ctx.now }),
    updated_at: ctx.now,
  });
  return getLink(ctx, id);
}

/**
 * Replaces the token of a link by one that its affiliate has chosen, once. The former token goes on to lead to the link.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for a token that the affiliate may not choose, and for the second change
 */
export async function replaceToken(ctx: WriteCtx, { id, token }: { id: string; token: string }): Promise<void> {
  await lockTokens(ctx);
  const link = await lock(ctx, Link, id);
  if (token === link.token) return;
  if (link.former_token !== null) throw invalid('token', PROGRAM_REASONS.link_token_replaced, 'replaced');
  await assertChoosable(ctx, token, { affiliateId: link.affiliate_id, linkId: id, path: 'token' });
  save(ctx, Link, link, { token, former_token: link.token, token_replaced_at: ctx.now, updated_at: ctx.now });
}

/** Throws CONFLICT if the affiliate or the campaign is archived. */
async function assertRestorable(ctx: WriteCtx, { affiliate_id, campaign_id }: Link): Promise<void> {
  const affiliate = await get(ctx, Affiliate, affiliate_id);
  if (affiliate.archived_at !== null) throw cannotRestore('affiliate_archived', PROGRAM_REASONS.affiliate_of_link_archived);
  const campaign = await get(ctx, Campaign, campaign_id);
  if (!isActive(campaign)) throw cannotRestore('campaign_archived', PROGRAM_REASONS.campaign_of_link_archived);
}

/** Moves an affiliate's links from one campaign to another. Archived links are not moved. */
export async function moveLinks(ctx: WriteCtx, affiliateId: string, { from, to }: { from: string; to: string }): Promise<void> {
  const moved = await ctx.db
    .updateTable('link')
    .set({ campaign_id: to, updated_at: ctx.now })
    .where('account_id', '=', ctx.accountId)
    .where('affiliate_id', '=', affiliateId)
    .where('campaign_id', '=', from)
    .where('archived_at', 'is', null)
    .returning('id')
    .execute();
  for (const { id } of moved) ctx.records.noteChanged('link', id, { campaign_id: from });
}

/** Archives a link. It is no longer listed, and redirects without recording visits. Has no effect on an archived link. */
export async function archiveLink(ctx: WriteCtx, { id }: { id: string }): Promise<LinkRecord> {
  const link = await lock(ctx, Link, id);
  if (link.archived_at === null) save(ctx, Link, link, { archived_at: ctx.now, updated_at: ctx.now });
  return getLink(ctx, id);
}

async function affiliateOf(ctx: WriteCtx, id: string): Promise<Affiliate> {
  const affiliate = await referenced(ctx, Affiliate, id, 'affiliate_id');
  if (affiliate.archived_at !== null) throw invalid('affiliate_id', PROGRAM_REASONS.affiliate_archived, 'archived');
  return affiliate;
}

async function campaignOf(ctx: WriteCtx, id: string): Promise<Campaign> {
  const campaign = await referenced(ctx, Campaign, id, 'campaign_id');
  if (!isActive(campaign)) throw invalid('campaign_id', PROGRAM_REASONS.campaign_archived, 'archived');
  return campaign;
}

/**
 * Creates a link to the campaign's page for an affiliate who has no link, so that a new affiliate can share a link at once.
 *
 * @param token token that the affiliate has chosen. Somebody else may have taken it since; the token is then made from the name
 */
export async function giveFirstLink(
  ctx: WriteCtx,
  affiliate: { id: string; campaign_id: string },
  token: string | null = null,
): Promise<void> {
  const campaign = await ctx.db
    .selectFrom('campaign')
    .select('url')
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', affiliate.campaign_id)
    .where('archived_at', 'is', null)
    .where((where) =>
      where.not(
        where.exists(
          where.selectFrom('link').select('id').where('affiliate_id', '=', affiliate.id).where('archived_at', 'is', null),
        ),
      ),
    )
    .executeTakeFirst();
  if (!campaign) return;
  if (token !== null) await lockTokens(ctx);
  const chosen = token !== null && (await refusalOfToken(ctx, token, { affiliateId: affiliate.id })) === null ? { token } : {};
  await createLink(ctx, { affiliate_id: affiliate.id, campaign_id: affiliate.campaign_id, url: campaign.url, ...chosen });
}
