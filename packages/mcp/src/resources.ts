import { type ProcedurePath, type Services, callProcedure, notFound } from '@affiliate/core';
import type { ReadResourceResult, Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import type { Assistant } from './published-tool.ts';
import { theManuals } from './read-manual.ts';
import { listViews, readView } from './views.ts';

/** A kind of records that can be read as resources, e.g. `affiliate://commissions/com_…`. */
interface Kind {
  title: string;
  get: ProcedurePath;
  list: ProcedurePath;
}

const KINDS: Readonly<Record<string, Kind>> = {
  affiliates: { title: 'Affiliate', get: 'affiliates.get', list: 'affiliates.list' },
  campaigns: { title: 'Campaign', get: 'campaigns.get', list: 'campaigns.list' },
  reward_rules: { title: 'Reward rule', get: 'rewardRules.get', list: 'rewardRules.list' },
  tiers: { title: 'Tier', get: 'tiers.get', list: 'tiers.list' },
  links: { title: 'Link', get: 'links.get', list: 'links.list' },
  referrals: { title: 'Referral', get: 'referrals.get', list: 'referrals.list' },
  sales: { title: 'Sale', get: 'sales.get', list: 'sales.list' },
  commissions: { title: 'Commission', get: 'commissions.get', list: 'commissions.list' },
  payouts: { title: 'Payout', get: 'payouts.get', list: 'payouts.list' },
  payout_exports: { title: 'Payout export', get: 'payoutExports.get', list: 'payoutExports.list' },
  payout_runs: { title: 'Payout run', get: 'payoutRuns.get', list: 'payoutRuns.list' },
};

const OVERVIEW = 'affiliate://overview';
const MANUALS = 'affiliate://manuals/';
const MIME_TYPE = 'application/json';
const MARKDOWN = 'text/markdown';

/** The caller of a resource, and the id of the request. */
export interface ResourceCall {
  caller: Assistant;
  requestId: string;
}

/** @param withViews false for a client that cannot show views */
export function listResources(withViews: boolean): Resource[] {
  return [
    {
      uri: OVERVIEW,
      name: 'overview',
      title: 'Program overview',
      description: 'Amounts owed, records that need review, and recent activity',
      mimeType: MIME_TYPE,
    },
    ...theManuals().map(({ name, title, summary }) => ({
      uri: `${MANUALS}${name}`,
      name: `manual-${name.replace('/', '-')}`,
      title,
      description: summary,
      mimeType: MARKDOWN,
    })),
    ...(withViews ? listViews() : []),
  ];
}

export function listResourceTemplates(): ResourceTemplate[] {
  return Object.entries(KINDS).map(([name, { title }]) => ({
    uriTemplate: `affiliate://${name}/{id}`,
    name,
    title,
    mimeType: MIME_TYPE,
  }));
}

/** Reads a resource with the permissions of the caller. Throws NOT_FOUND and FORBIDDEN. */
export async function readResource(services: Services, call: ResourceCall, uri: string): Promise<ReadResourceResult> {
  const view = readView(uri);
  if (view) return view;
  const manual = theManuals().find(({ name }) => uri === `${MANUALS}${name}`);
  if (manual) return { contents: [{ uri, mimeType: MARKDOWN, text: manual.text }] };
  const record = uri === OVERVIEW ? await read(services, call, 'overview.get', {}) : await readRecord(services, call, uri);
  return { contents: [{ uri, mimeType: MIME_TYPE, text: JSON.stringify(record) }] };
}

function readRecord(services: Services, call: ResourceCall, uri: string): Promise<unknown> {
  const [, name = '', id = ''] = /^affiliate:\/\/([a-z_]+)\/([^/?#]+)$/.exec(uri) ?? [];
  if (!Object.hasOwn(KINDS, name)) throw notFound('uri');
  return read(services, call, KINDS[name]!.get, { id });
}

/** Most ids that a completion offers. The protocol allows 100. */
const MAX_COMPLETIONS = 20;
/** Number of the newest records in which a completion searches. */
const SEARCHED = 100;

/** Returns the newest ids of a kind that begin with `start`. Empty for an unknown kind, and for one that the caller must not read. */
export async function completeId(services: Services, call: ResourceCall, kind: string, start: string): Promise<string[]> {
  if (!Object.hasOwn(KINDS, kind)) return [];
  try {
    const { data } = (await read(services, call, KINDS[kind]!.list, { limit: SEARCHED })) as { data: { id: string }[] };
    return data
      .map(({ id }) => id)
      .filter((id) => id.startsWith(start))
      .slice(0, MAX_COMPLETIONS);
  } catch (error) {
    services.log.debug({ request_id: call.requestId, err: error }, 'ids could not be completed');
    return [];
  }
}

function read(services: Services, { caller, requestId }: ResourceCall, path: ProcedurePath, input: object): Promise<unknown> {
  return callProcedure({ services, requestId, principal: caller, surface: 'mcp', reply: {} }, path, input);
}
