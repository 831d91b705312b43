/**
 * The versions of rules. A sale earns by the rules that were in force at its charge, whenever it arrives (docs/rules/rewards.md#versions).
 */
import { post } from '@affiliate/postgres';
import { sql } from 'kysely';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { type Instant, isBefore } from '../../platform/time/instant.ts';
import type { Rule } from '../worth/rule.ts';

/** Keeps the current values of a rule, which this transaction has written, as a version. Gives the rules of the campaign a new revision. */
export function keepVersion({ db, accountId }: WriteCtx, ruleId: string): void {
  const version = sql`
    insert into reward_rule_version (rule_id, version, account_id, campaign_id, affiliate_id, link_id, in_force_from, event, position, "when",
      reward, apply, cap, milestone, hold_days, "from", until, ended)
    select id, version, account_id, campaign_id, affiliate_id, link_id, changed_at, event, position, "when",
      reward, apply, cap, milestone, hold_days, "from", until, ended_at is not null
    from reward_rule where id = ${ruleId} and account_id = ${accountId}`;
  post(db, version.compile(db));
  const revision = sql`
    insert into reward_revision (campaign_id, account_id, revision)
    select campaign_id, account_id, gen_random_uuid() from reward_rule where id = ${ruleId} and account_id = ${accountId}
    on conflict (campaign_id) do update set revision = excluded.revision`;
  post(db, revision.compile(db));
}

/** A version of a rule with the time from which it is in force. */
export interface RuleVersion extends Rule {
  campaign_id: string;
  in_force_from: Instant;
  ended: boolean;
}

/** SQL expression: the revision of the rules of a row of `campaign`. Null for a campaign that never had rules. */
export const REVISION_OF_RULES = sql<string | null>`(case when campaign.rewarded_since is not null then (
  select revision from reward_revision where reward_revision.campaign_id = campaign.id) end)`;

/** A campaign with rules, and the revision of the rules, as one statement has read it. */
export interface RuledCampaign {
  id: string;
  revision: string;
}

/**
 * Returns all versions of the rules of campaigns, including those of single affiliates and links. Versions that this process has loaded for the same
 * revision are not loaded again.
 */
export async function versionsOf(reader: Reader, campaigns: readonly RuledCampaign[]): Promise<RuleVersion[]> {
  const missing = campaigns.filter(({ revision }) => !loaded.has(revision));
  const ids = missing.map(({ id }) => id);
  const found = ids.length === 0 ? [] : await loadVersions(reader, ids);
  for (const [revision, versions] of Map.groupBy(found, (each) => each.revision)) loaded.keep(revision, versions);
  const byCampaign = Map.groupBy(found, ({ campaign_id }) => campaign_id);
  return campaigns.flatMap(({ id, revision }) => byCampaign.get(id) ?? loaded.get(revision) ?? []);
}

/** Loads all versions of the rules of campaigns, with the revision to which they belong. */
export function loadVersions({ db, accountId }: Reader, campaignIds: readonly string[]): Promise<LoadedVersion[]> {
  return findVersions(db, { accountId, campaignIds });
}

type Reader = Pick<Ctx, 'db' | 'accountId'>;
type LoadedVersion = RuleVersion & { revision: string };

// The revision is read by the same statement as the versions, because the rules may have changed since the caller read it.
const findVersions = prepared(
  (_db, { accountId, campaignIds }: { accountId: string; campaignIds: readonly string[] }) => sql<LoadedVersion>`
    select rule_id as id, version.campaign_id, version, in_force_from, event, link_id, affiliate_id, position, "when", reward as pay, apply, cap,
      milestone, hold_days, "from", until, ended, revision
    from reward_rule_version version join reward_revision on reward_revision.campaign_id = version.campaign_id
    where version.account_id = ${accountId} and version.campaign_id = any (${campaignIds}::text[])
    order by version.campaign_id, rule_id, version desc`,
);

/** Maximum size of the versions that a process keeps in memory, in characters of their JSON: 20,000 versions of ordinary rules, which have 500. */
const MAX_KEPT = 10_000_000;

interface Kept {
  versions: readonly RuleVersion[];
  size: number;
}

/** Versions in memory, by revision. A revision is never used again, not even after a rollback, so nothing kept can become wrong. */
class LoadedVersions {
  readonly #byRevision = new Map<string, Kept>();
  #size = 0;

  has(revision: string): boolean {
    return this.#byRevision.has(revision);
  }

  get(revision: string): readonly RuleVersion[] | undefined {
    const kept = this.#byRevision.get(revision);
    if (kept === undefined) return undefined;
    // The least recently used versions come first.
    this.#byRevision.delete(revision);
    this.#byRevision.set(revision, kept);
    return kept.versions;
  }

  /** Keeps versions, and removes the least recently used ones while there are too many. */
  keep(revision: string, versions: readonly RuleVersion[]): void {
    if (this.has(revision)) return;
    const { length: size } = JSON.stringify(versions);
    this.#byRevision.set(revision, { versions, size });
    this.#size += size;
    for (const [oldest, removed] of this.#byRevision) {
      if (this.#size <= MAX_KEPT) return;
      this.#byRevision.delete(oldest);
      this.#size -= removed.size;
    }
  }
}

const loaded = new LoadedVersions();

/**
 * Returns of each rule the version that was in force at a time. Leaves out rules that had ended.
 *
 * @param versions the newest version of each rule comes first
 */
export function inEffect(versions: readonly RuleVersion[], at: Instant): Rule[] {
  const chosen = new Map<string, RuleVersion>();
  for (const version of versions)
    if (!chosen.has(version.id) && !isBefore(at, version.in_force_from)) chosen.set(version.id, version);
  return [...chosen.values()].filter(({ ended }) => !ended);
}
