import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { carryDebts } from '../../ledger/earning/carry-debts.ts';
import { externalId } from '../../platform/wire/merchant-data.ts';
import { email, looseName, text, timestamp } from '../../platform/wire/scalars.ts';
import { AFFILIATE_STATES } from '../../platform/wire/states.ts';
import { addAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { addMethod } from '../../program/payout-methods/payout-method.transitions.ts';
import type { Import } from '../port/import.entity.ts';
import type { RecordKind, Verdict } from '../port/record-kind.ts';

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

interface Found {
  record_id: string | null;
  earlier: string | null;
  earlier_record_id: string | null;
  campaign_outcome: string | null;
  campaign_id: string | null;
}

/** Affiliates. An affiliate with the same address is the same one, and is not changed. */
export const AFFILIATES: RecordKind<ImportedAffiliate, References> = {
  schema: ImportedAffiliate,

  async check(ctx, of, rows) {
    const sought = sql`unnest(${rows.map((row) => row.source_id)}::text[], ${rows.map(({ data }) => data.external_id)}::text[],
      ${rows.map(({ data }) => data.email.toLowerCase())}::text[], ${rows.map(({ data }) => data.campaign)}::text[])`;
    const { rows: found } = await sql<Found>`
      select coalesce(
          (select id from affiliate where account_id = ${ctx.accountId} and archived_at is null and external_id = sought.external_id),
          (select id from affiliate where account_id = ${ctx.accountId} and archived_at is null and lower(email) = sought.email)
        ) as record_id,
        earlier.source_id as earlier, earlier.record_id as earlier_record_id,
        campaign.outcome as campaign_outcome, campaign.record_id as campaign_id
      from ${sought} with ordinality sought (source_id, external_id, email, campaign, place)
      join data_import_row own on own.import_id = ${of.id} and own.kind = 'affiliate' and own.source_id = sought.source_id
      left join data_import_row campaign on campaign.import_id = ${of.id} and campaign.kind = 'campaign' and campaign.source_id = sought.campaign
      left join lateral (
        select source_id, record_id from data_import_row
        where import_id = ${of.id} and kind = 'affiliate' and id < own.id
          and (lower(data ->> 'email') = sought.email or data ->> 'external_id' = sought.external_id)
        order by id limit 1
      ) earlier on true
      order by place`.execute(ctx.db);
    return found.map((each, i): Verdict<References> => {
      if (each.earlier !== null) return { outcome: 'skipped', reason: 'repeated', record_id: each.earlier_record_id };
      if (each.record_id !== null) return { outcome: 'existing', record_id: each.record_id };
      if (rows[i]!.data.campaign !== null && !isComing(each.campaign_outcome))
        return { outcome: 'problem', reason: 'campaign_missing' };
      return { outcome: 'new', references: { campaign_id: each.campaign_id ?? of.campaign_id } };
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

/** True if a row with this outcome has a record, or gets one. */
export function isComing(outcome: string | null): boolean {
  return outcome !== null && outcome !== 'problem';
}

/**
 * SQL: the affiliate that a row names by id at the source, address, or token of a link: of the import or of the account. `outcome` is null if there is
 * none. For a `left join lateral`.
 */
export function namedAffiliate(of: Import, name: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select outcome, record_id from data_import_row
    where import_id = ${of.id} and kind = 'affiliate'
      and (source_id = ${name} or data ->> 'external_id' = ${name} or lower(data ->> 'email') = lower(${name}))
    union all
    select affiliate.outcome, affiliate.record_id from data_import_row link
    join data_import_row affiliate on affiliate.import_id = link.import_id and affiliate.kind = 'affiliate' and affiliate.source_id = link.data ->> 'affiliate'
    where link.import_id = ${of.id} and link.kind = 'link' and link.outcome <> 'problem' and lower(link.data ->> 'token') = lower(${name})
    union all
    select 'existing', id from affiliate
    where account_id = ${of.account_id} and archived_at is null and (external_id = ${name} or lower(email) = lower(${name}))
    union all
    select 'existing', affiliate_id from link where account_id = ${of.account_id} and lower(token) = lower(${name})
    limit 1)`;
}
