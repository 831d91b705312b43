import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { Assistant, textOf } from '../mcp/assistant.ts';
import { PortalVisitor } from '../portal/people.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { payee } from './program.ts';

type Payout = Outputs['payouts']['get'];

const service = useService();
const account = useAccount(service, 'file');

it('an open payout tells which commissions of the affiliate it lacks because they are under review', async () => {
  const { payout, program } = await payee(account);
  const { payout: other } = await payee(account);
  const get = (id: string) => account.api.get<Payout>(`/payouts/${id}`, { expand: 'commissions,under_review' });
  const { body } = await get(payout.id);
  expect(body).toMatchObject({ amount_cents: 1_000, under_review: { amount_cents: 0, commissions_count: 0 } });
  const { id } = body.commissions![0]!;
  await account.api.post(`/commissions/${id}/review`, { review_action: 'suspicious' });
  expect((await get(payout.id)).body).toMatchObject({
    amount_cents: 0,
    eligible: false,
    under_review: { amount_cents: 1_000, commissions_count: 1 },
  });
  expect((await get(other.id)).body.under_review).toEqual({ amount_cents: 0, commissions_count: 0 });
  const stats = await account.client.affiliates.get.query({ id: program.affiliate.id, expand: ['commission_stats'] });
  expect(stats.commission_stats?.currencies).toMatchObject([{ due_cents: 1_000, under_review_cents: 1_000 }]);

  // The same amount everywhere, and a payout of zero is not owed.
  const [mine] = (await account.client.overview.get.query({})).due;
  expect(mine).toMatchObject({
    payable: { count: 1, amount_cents: 1_000 },
    waiting: { count: 0, amount_cents: 0 },
    not_due_yet: { count: 0 },
    under_review: { count: 1, amount_cents: 1_000 },
  });
  const payable = await account.client.overview.payable.query({ at: service.clock.instant() });
  expect(payable.currencies).toMatchObject([
    { payable: { count: 1, amount_cents: 1_000 }, under_review: { count: 1, amount_cents: 1_000 }, obstacles: [] },
  ]);
  const portal = await PortalVisitor.enter(service, account, program.affiliate.email);
  expect(await portal.query('portal.home')).toMatchObject({ earnings: [{ due_cents: 0, in_review_cents: 1_000 }] });
  await using assistant = await Assistant.overHttp(service, account.apiKey);
  const explained = await assistant.client.callTool({
    name: 'explain',
    arguments: { action: 'affiliate', id: program.affiliate.id },
  });
  expect(JSON.parse(textOf(explained as CallToolResult))).toMatchObject({
    result: { commission_stats: { currencies: [{ under_review_cents: 1_000 }] } },
    unpaid_payouts: { data: [{ amount_cents: 0, under_review: { amount_cents: 1_000, commissions_count: 1 } }] },
  });

  await account.api.post(`/commissions/${id}/review`, { review_action: 'approve' });
  await account.api.post(`/payouts/${payout.id}/pay`);
  expect((await get(payout.id)).body).toMatchObject({ state: 'paid', amount_cents: 1_000, under_review: null });
});
