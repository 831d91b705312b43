import { sql } from 'kysely';
import { z } from 'zod';
import { carryDebts } from '../../ledger/earning/carry-debts.ts';
import { externalId } from '../../platform/wire/merchant-data.ts';
import { email, looseName, text, timestamp } from '../../platform/wire/scalars.ts';
import { AFFILIATE_STATES } from '../../platform/wire/states.ts';
import { addAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { addMethod } from '../../program/payout-methods/payout-method.ts';
import type { RecordKind, Verdict } from '../port/import-kind.ts';
import { emailKey, externalKey, findCampaigns, findEarlier, isComing } from './find-rows.ts';

const ImportedAffiliate = z.strictObject({
  external_id: externalId().nullable(),
  email: email(),
  first_name: looseName(100).nullable(),
  last_name: looseName(100).nullable(),
  state: z.enum(AFFILIATE_STATES),
  /** Id of the campaign at the source. Null for the campaign of the import. */
  campaign: text(255).nullable(),
  /** Email addresses of payout methods, by their kind. */
  payout_emails: z.record(z.enum(['paypal', 'wise']), email().nullable()),
  created_at: timestamp().nullable(),
});
export type ImportedAffiliate = z.infer<typeof ImportedAffiliate>;

interface References {
  /** Null for the default campaign. */
  campaign_id: string | null;
}

/** Affiliates. An affiliate with the same address is the same one, and is not changed. */
export const AFFILIATES: RecordKind<ImportedAffiliate, References> = {
  schema: ImportedAffiliate,

  keysOf: ({ external_id, email: address }) => [emailKey(address), ...(external_id === null ? [] : [externalKey(external_id)])],

  async check(ctx, of, rows) {
    const earlier = await findEarlier(ctx, of, 'affiliate', AFFILIATES, rows);
    const campaigns = await findCampaigns(ctx, of, rows);
    const emails = rows.map(({ data }) => data.email.toLowerCase());
    const externalIds = rows.flatMap(({ data }) => data.external_id ?? []);
    const { rows: known } = await sql<{ id: string; email: string; external_id: string | null }>`
      select id, lower(email) as email, external_id from affiliate
      where account_id = ${ctx.accountId} and archived_at is null and lower(email) = any (${emails}::text[])
      union
      select id, lower(email), external_id from affiliate
      where account_id = ${ctx.accountId} and archived_at is null and external_id = any (${externalIds}::text[])`.execute(ctx.db);
    const byEmail = new Map(known.map(({ id, email: address }) => [address, id]));
    const byExternalId = new Map(known.map(({ id, external_id }) => [external_id, id]));
    return rows.map(({ data }, i): Verdict<References> => {
      const same = earlier[i] ?? null;
      if (same !== null) return { outcome: 'skipped', reason: 'repeated', record_id: same.record_id };
      const existing = (data.external_id !== null && byExternalId.get(data.external_id)) || byEmail.get(emails[i]!);
      if (existing) return { outcome: 'existing', record_id: existing };
      const campaign = data.campaign === null ? null : campaigns.get(data.campaign);
      if (campaign !== null && !isComing(campaign)) return { outcome: 'problem', reason: 'campaign_missing' };
      return { outcome: 'new', references: { campaign_id: campaign?.record_id ?? of.campaign_id } };
    });
  },

  async make(ctx, _of, { data }, { campaign_id }) {
    const { external_id, campaign: _campaign, created_at: _created, payout_emails, ...fields } = data;
    const { id } = await addAffiliate(
      ctx,
      { ...fields, ...(external_id !== null && { external_id }), ...(campaign_id !== null && { campaign_id }) },
      carryDebts,
    );
    for (const [kind, address] of Object.entries(payout_emails))
      if (address !== null) addMethod(ctx, id, kind, { email: address });
    return [id];
  },
};
