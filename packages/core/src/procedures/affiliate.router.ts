import { z } from 'zod';
import { changeAffiliate, LeftBehind, upsertAffiliate } from '../attribution/change-affiliate.ts';
import { AffiliateCouponRecord } from '../codes/affiliate-coupons/affiliate-coupon.schema.ts';
import { findAffiliateCoupons } from '../codes/affiliate-coupons/affiliate-coupon.ts';
import { carryDebts } from '../ledger/earning/carry-debts.ts';
import { findOutlooks } from '../ledger/payouts/payment-outlook.queries.ts';
import { PaymentOutlook } from '../ledger/payouts/payout.schema.ts';
import { byId, expandable, toOne } from '../platform/call/expand.ts';
import { confirmEffect, confirmRecord, effectOn } from '../platform/previews/confirm-effect.ts';
import { bulkInput, bulkOutput, onceForEach } from '../platform/trpc/bulk.ts';
import { created, rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router, write } from '../platform/trpc/trpc.ts';
import { CsvPart } from '../platform/wire/csv.ts';
import { externalIdOf } from '../platform/wire/merchant-data.ts';
import { pageInput, paginated } from '../platform/wire/pagination.ts';
import { id } from '../platform/wire/scalars.ts';
import {
  CreateEmbedToken,
  CreatePortalLink,
  EmbedTokenRecord,
  NamedAffiliate,
  PortalLinkRecord,
} from '../portal/entry/portal-access.schema.ts';
import {
  createEmbedToken,
  createEmbedTokenByEmail,
  createPortalLink,
  createPortalLinkByEmail,
  viewPortal,
} from '../portal/entry/portal-access.ts';
import { eraseAffiliate } from '../privacy/erase-affiliate.ts';
import { EraseAffiliate, Erased, PersonalData } from '../privacy/erasure.ts';
import { getPersonalData } from '../privacy/personal-rows.ts';
import { addAffiliate, archiveAffiliate } from '../program/affiliates/affiliate.service.ts';
import {
  affiliatesAsCsv,
  getAffiliate,
  listAffiliates,
  affiliateFilters,
  AffiliateId,
  affiliateOrder,
  AffiliatesAsCsv,
  CreateAffiliate,
  PlainAffiliate,
  UpdateAffiliate,
  UpsertAffiliate,
} from '../program/affiliates/affiliate.ts';
import { CAMPAIGN, CampaignRecord } from '../program/campaigns/campaign.ts';
import { findLinksOfAffiliates, LinkRecord } from '../program/links/link.ts';
import { hasAddresses } from '../program/payout-methods/address-fields.schema.ts';
import { findSharedAccounts } from '../program/payout-methods/payout-addresses.ts';
import { SharedAccount } from '../program/payout-methods/payout-method.schema.ts';
import {
  CommissionStats,
  getTimeline,
  GetTimeline,
  loadCommissionStats,
  Timeline,
} from '../reports/affiliate-stats/affiliate-stats.ts';
import { AffiliateTier, findTiersOfAffiliates } from '../rewards/tiers/tier.ts';

const affiliateExpansions = expandable<PlainAffiliate>()({
  campaign: { schema: CampaignRecord, ...toOne('campaign_id', CAMPAIGN) },
  links: { schema: z.array(LinkRecord), load: findLinksOfAffiliates },
  coupon: { schema: AffiliateCouponRecord, load: byId((affiliate) => affiliate.id, findAffiliateCoupons) },
  tiers: { schema: z.array(AffiliateTier), load: findTiersOfAffiliates },
  commission_stats: { schema: CommissionStats, load: loadCommissionStats },
  outlook: { schema: z.array(PaymentOutlook), load: findOutlooks },
  shared_accounts: {
    schema: z.array(SharedAccount),
    load: (ctx, rows) =>
      findSharedAccounts(
        ctx,
        rows.map(({ id }) => id),
      ),
  },
});

const AffiliateRecord = z
  .object({
    ...PlainAffiliate.shape,
    ...affiliateExpansions.output,
    left_behind: LeftBehind.optional().describe('Only in the answer to a change of `campaign_id`, and in its preview.'),
  })
  .meta({ id: 'Affiliate', description: 'A partner who promotes a campaign and earns commissions.' });
type AffiliateRecord = z.infer<typeof AffiliateRecord>;

const GetAffiliate = z.strictObject({ id: id('affiliate'), ...affiliateExpansions.input });

const ListAffiliates = z.strictObject({
  ...pageInput,
  ...affiliateOrder,
  ...affiliateExpansions.input,
  ...affiliateFilters,
});
type ListAffiliates = z.infer<typeof ListAffiliates>;

const AffiliatePage = paginated(AffiliateRecord);

const CreateAffiliates = bulkInput(CreateAffiliate).extend({
  upsert: z
    .boolean()
    .default(false)
    .describe('If `true`, an item updates the affiliate who has its `external_id` or, if it has none, its email address.'),
});

export const affiliatesRouter = router({
  list: rest(read('affiliates'), 'GET /affiliates', {
    summary: 'List affiliates',
    description:
      'Returns affiliates that are not archived, or archived ones with `archived=true`, newest first unless `sort` says otherwise.',
  })
    .input(ListAffiliates)
    .output(AffiliatePage)
    .query(async ({ ctx, input }) => {
      const { data, pagination } = await listAffiliates(ctx, input);
      return { data: await affiliateExpansions.into(ctx, data, input.expand), pagination };
    }),

  csv: rest(read('affiliates'), 'GET /affiliates.csv', {
    summary: 'Download affiliates as CSV',
    description: 'Returns the whole list with the given filters as one file, without pages.',
    csv: true,
  })
    .input(AffiliatesAsCsv)
    .output(CsvPart)
    .query(({ ctx, input }) => affiliatesAsCsv(ctx, input)),

  get: rest(read('affiliates'), 'GET /affiliates/{id}', {
    summary: 'Retrieve an affiliate',
    description: 'Also returns archived affiliates.',
  })
    .input(GetAffiliate)
    .output(AffiliateRecord)
    .query(async ({ ctx, input }) => affiliateExpansions.intoOne(ctx, await getAffiliate(ctx, input.id), input.expand)),

  timeline: rest(read('affiliates', 'referrals', 'commissions', 'payouts'), 'GET /affiliates/{id}/timeline', {
    summary: 'Retrieve the timeline of an affiliate',
    description:
      'Returns the history of the affiliate, newest first: when they joined, their first click and first sale, and the latest refunds and payouts. Test sales are left out.',
  })
    .input(GetTimeline)
    .output(Timeline)
    .query(({ ctx, input }) => getTimeline(ctx, input.id)),

  create: rest(write('affiliates', CreateAffiliate), 'POST /affiliates', {
    summary: 'Create an affiliate',
    description: 'Emits `affiliate.created`, and `affiliate.approved` if the affiliate is active.',
    status: 201,
  })
    .output(AffiliateRecord)
    .mutation(({ ctx, input }) => addAffiliate(ctx, input, carryDebts)),

  createMany: rest(operate('affiliates', CreateAffiliates), 'POST /affiliates/bulk', {
    summary: 'Create or update up to 100 affiliates',
    description:
      'With `upsert`, an item updates the given fields of the affiliate with its `external_id` or, if it has none, its email address. Each item has a transaction of its own, and a result. An item that fails changes nothing for the others. With an `Idempotency-Key`, a repeated call returns the same results, and continues after an interruption.',
  })
    .output(bulkOutput(AffiliateRecord, 'AffiliatesBulk'))
    .mutation(({ ctx, input }) =>
      onceForEach(
        ctx,
        { procedure: `affiliates.${input.upsert ? 'upsert' : 'create'}`, items: input.items },
        async (tx, item) => {
          if (!input.upsert) return { record: await addAffiliate(tx, item, carryDebts), created: true };
          const { record, created: isNew } = await upsertAffiliate(tx, item);
          return { record, created: isNew, updated: !isNew };
        },
      ),
    ),

  upsert: rest(write('affiliates', UpsertAffiliate, { confirmed: hasAddresses }), 'PUT /affiliates/{id}', {
    summary: 'Create or update an affiliate by your ID',
    description:
      'Creates the affiliate with this `external_id`, or updates the given fields of the affiliate who has it. An affiliate with the given email address and without an `external_id` gets this one. Archived affiliates are not found. Emits the events of a creation or a change.',
    otherStatuses: { 201: 'The affiliate was created.' },
  })
    .output(PlainAffiliate)
    .mutation(async ({ ctx, input: { id, ...fields } }) => {
      const outcome = await upsertAffiliate(ctx, { ...fields, external_id: externalIdOf(id) });
      await confirmRecord(ctx, outcome.record);
      return created(ctx, outcome);
    }),

  update: rest(write('affiliates', UpdateAffiliate, { confirmed: hasAddresses }), 'PATCH /affiliates/{id}', {
    summary: 'Update an affiliate',
    description:
      'Updates the given fields. Emits `affiliate.approved` when the affiliate becomes active. With `move_links`, the affiliate’s links and promo codes move to the new campaign; `left_behind` in the response says what stays in the former one. `archived_at: null` restores an archived affiliate.',
  })
    .output(AffiliateRecord)
    .mutation(async ({ ctx, input }) => confirmRecord(ctx, await changeAffiliate(ctx, input))),

  createPortalLink: rest(write('portal_tokens', CreatePortalLink, { conditional: false }), 'POST /affiliates/{id}/portal_link', {
    summary: 'Create a sign-in link to the portal',
    description:
      'Returns a URL that opens the affiliate’s portal. The URL works once, within 60 seconds. Use it for an “open my affiliate dashboard” button in your own application: create the link when the button is clicked, and redirect to it. The portal stays open for 12 hours. It reads and shares: payout details, name and address are changed only by the affiliate, after a sign-in.',
    status: 201,
  })
    .output(PortalLinkRecord)
    .mutation(({ ctx, input }) => createPortalLink(ctx, input)),

  createPortalLinkByEmail: rest(
    write('portal_tokens', NamedAffiliate, { also: ['affiliates'] }),
    'POST /affiliates/portal_link',
    {
      summary: 'Create a sign-in link to the portal, by email address or external ID',
      description:
        'Does the same as `POST /affiliates/{id}/portal_link`, but finds the affiliate by `external_id` or, if no affiliate has that `external_id`, by `email`. If no affiliate is found, creates an active affiliate with a first link. The other fields are used only for a new affiliate.',
      status: 201,
    },
  )
    .output(PortalLinkRecord)
    .mutation(({ ctx, input }) => createPortalLinkByEmail(ctx, input)),

  createEmbedToken: rest(write('portal_tokens', CreateEmbedToken, { conditional: false }), 'POST /affiliates/{id}/embed_token', {
    summary: 'Create a token that embeds the portal',
    description:
      'Returns a token that is valid for an hour. With it, the loader `/embed.js` shows the affiliate’s portal in a frame of your application. Set the sites that may embed the portal in the portal settings. The portal reads and shares: payout details, name and address are changed only by the affiliate, after a sign-in.',
    status: 201,
  })
    .output(EmbedTokenRecord)
    .mutation(({ ctx, input }) => createEmbedToken(ctx, input)),

  createEmbedTokenByEmail: rest(
    write('portal_tokens', NamedAffiliate, { also: ['affiliates'] }),
    'POST /affiliates/embed_token',
    {
      summary: 'Create a token that embeds the portal, by email address or external ID',
      description:
        'Does the same as `POST /affiliates/{id}/embed_token`, but finds the affiliate by `external_id` or, if no affiliate has that `external_id`, by `email`. If no affiliate is found, creates an active affiliate with a first link. The other fields are used only for a new affiliate.',
      status: 201,
    },
  )
    .output(EmbedTokenRecord)
    .mutation(({ ctx, input }) => createEmbedTokenByEmail(ctx, input)),

  /** Opens an affiliate's portal for a member, from the pages. The audit log records who opened it. */
  viewPortal: write('portal_tokens', CreatePortalLink)
    .output(PortalLinkRecord)
    .mutation(({ ctx, input }) => viewPortal(ctx, input)),

  personalData: rest(read('affiliates', 'commissions', 'payouts'), 'GET /affiliates/{id}/personal_data', {
    summary: 'Export the personal data of an affiliate',
    description: 'Returns everything that is stored about the affiliate, for a request by the person.',
  })
    .input(EraseAffiliate)
    .output(PersonalData)
    .query(({ ctx, input }) => getPersonalData(ctx, 'affiliate', input.id)),

  erase: rest(write('affiliates', EraseAffiliate, { also: ['payouts'], confirmed: true }), 'POST /affiliates/{id}/erase', {
    summary: 'Erase the personal data of an affiliate',
    description:
      'Archives the affiliate and erases name, addresses, payout details, answers and metadata in the record at once, and in events, deliveries, exports, the audit log and every other copy within minutes. Commissions and payouts keep their amounts. Refused while an export or a run holds a payout of the affiliate. Cannot be undone.',
  })
    .output(Erased)
    .mutation(async ({ ctx, input }) => {
      const shown = await getAffiliate(ctx, input.id);
      await confirmEffect(ctx, () => Promise.resolve(effectOn(shown)));
      return eraseAffiliate(ctx, input);
    }),

  archive: rest(write('affiliates', AffiliateId), 'DELETE /affiliates/{id}', {
    summary: 'Archive an affiliate',
    description:
      'The affiliate stops earning and is no longer listed, but can still be retrieved. Archiving an archived affiliate has no effect.',
    status: 204,
  })
    .output(AffiliateRecord)
    .mutation(({ ctx, input }) => archiveAffiliate(ctx, input)),
});
