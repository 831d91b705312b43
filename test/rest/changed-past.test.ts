import { expect, it } from 'vitest';
import { must, program, refer, sell } from '../support/program.ts';
import type { Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';

/** Timelines of records that have changed (docs/rules/reports.md#timelines). */
// Deletes events, so that no mirror can be right at the end.
const service = useService({ writesRows: true });
const account = useAccount(service);

type Entry = Outputs['sales']['timeline']['entries'][number];

async function told(path: string, kinds: RegExp) {
  const { status, body } = await account.api.get<{ entries: Entry[] }>(path);
  expect(status).toBe(200);
  return body.entries
    .filter(({ kind }) => kinds.test(kind))
    .map(({ kind, previous_amount_cents: before, amount_cents: amount }) => [kind, before, amount].join(' '))
    .toReversed();
}

const later = () => service.clock.advance(1, 'hours');

it('keeps what was true at each time, and names a correction with its author', async () => {
  const friends = await program(account, { commission_percent: 10 });
  const { sale, commission } = await sell(account, {
    referral_id: (await refer(account, friends)).id,
    amount_cents: 10_000,
    external_id: 'order-1',
  });
  later();
  expect((await account.api.patch(`/sales/${sale.id}`, { amount_cents: 4_000, dry_run: false })).status).toBe(200);
  for (const path of [`/sales/${sale.id}/timeline`, `/commissions/${commission!.id}/timeline`])
    expect(await told(path, /^(sale|commission)/)).toEqual([
      'sale  10000',
      'commission_created  1000',
      'sale_corrected 10000 4000',
      'commission_changed 1000 400',
    ]);
  const { body } = await account.api.get<{ entries: Entry[] }>(`/sales/${sale.id}/timeline`);
  const correction = body.entries.find(({ kind }) => kind === 'sale_corrected')!;
  const keys = (await account.client.apiKeys.list.query({})).data;
  expect(keys.map(({ id }) => id)).toContain(correction.actor);
  expect(correction.actor_name).not.toBeNull();

  later();
  await must(account, '/track/refunds', { external_id: 'order-1', refund_id: 'back-1', amount_cents: 1_000 });
  expect(await told(`/sales/${sale.id}/timeline`, /^(sale|commission|refund)/)).toEqual([
    'sale  10000',
    'commission_created  1000',
    'sale_corrected 10000 4000',
    'commission_changed 1000 400',
    'refund  -1000',
    'commission_changed 400 300',
  ]);
});

it('names the assignment of a sale to an affiliate, and what it changed', async () => {
  const ada = await program(account, { commission_percent: 10 });
  const bob = await program(account, { commission_percent: 20 });
  const { sale } = await sell(account, { referral_id: (await refer(account, ada)).id, amount_cents: 10_000 });
  later();
  const assigned = await account.api.post(`/sales/${sale.id}/assign`, { affiliate_id: bob.affiliate.id, dry_run: false });
  expect(assigned.status).toBe(200);
  expect(await told(`/sales/${sale.id}/timeline`, /^(sale|commission)/)).toEqual([
    'sale  10000',
    'commission_created  1000',
    'sale_assigned  10000',
    'commission_created  2000',
    'commission_voided  1000',
  ]);
});

it('shows current amounts once the events about them are no longer kept', async () => {
  const friends = await program(account, { commission_percent: 10 });
  const { sale } = await sell(account, { referral_id: (await refer(account, friends)).id, amount_cents: 10_000 });
  later();
  await account.api.patch(`/sales/${sale.id}`, { amount_cents: 4_000, dry_run: false });
  await service.services.database.kysely.deleteFrom('event').where('subject_id', '=', sale.id).execute();
  expect(await told(`/sales/${sale.id}/timeline`, /^sale/)).toEqual(['sale  4000']);
});
