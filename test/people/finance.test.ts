import { expect, it } from 'vitest';
import { openPayout, payee } from '../payouts/program.ts';
import { newMember } from '../support/people.ts';
import { useAccount, useService } from '../support/suite.ts';

/** The roles beside owner, admin and member in practice. test/people/roles.test.ts walks all operations. */
const service = useService();
const account = useAccount(service, 'file');
const context = () => ({ 'X-Account-Id': account.id });

it('finance changes payout details, which holds payouts, and pays; it changes nothing else', async () => {
  const { program } = await payee(account);
  const { browser } = await newMember(service, account, 'finance');
  const { id } = program.affiliate;
  const address = { email: 'new@pay.example' };
  const methods = await browser.send('GET', `/api/v1/payout_methods?affiliate_id=${id}&kind=paypal`, { headers: context() });
  const [method] = (methods.body as { data: { id: string }[] }).data;
  const changed = await browser.send('PATCH', `/api/v1/payout_methods/${method!.id}`, { headers: context(), body: { address } });
  expect(changed).toMatchObject({ status: 200, body: { state: 'held' } });
  const payout = await openPayout(account, id);
  expect(payout.ineligible_reasons).toContain('details_changed');
  const paid = await browser.send('POST', `/api/v1/payouts/${payout.id}/pay`, { headers: context(), body: {} });
  expect(paid).toMatchObject({ status: 200, body: { state: 'paid' } });
  const renamed = await browser.send('PATCH', `/api/v1/affiliates/${id}`, { headers: context(), body: { first_name: 'Eve' } });
  expect(renamed).toMatchObject({ status: 403, body: { error: expect.stringContaining('role member') as string } });
});

it.each(['member', 'viewer'] as const)(
  'a %s sets no payout details, also not of a new affiliate, and pays nothing',
  async (role) => {
    const { program } = await payee(account);
    const { browser } = await newMember(service, account, role);
    const post = async (path: string, body: object) => (await browser.send('POST', path, { headers: context(), body })).status;
    expect(
      await post('/api/v1/payout_methods', {
        affiliate_id: program.affiliate.id,
        kind: 'paypal',
        address: { email: 'e@x.example' },
      }),
    ).toBe(403);
    expect(await post(`/api/v1/payouts/${(await openPayout(account, program.affiliate.id)).id}/pay`, {})).toBe(403);
    const affiliate = { email: `${role}@example.com`, campaign_id: program.campaign.id, walleta_email: 'eve@pay.example' };
    expect(await post('/api/v1/affiliates', affiliate)).toBe(403);
  },
);

it('an invitation as another role never takes anything away', async () => {
  const finance = await newMember(service, account, 'finance');
  const { members } = account.client;
  const roleOf = async (id: string) =>
    (await members.list.query({ limit: 100 })).data.find(({ user_id }) => user_id === id)!.role;
  expect(await roleOf(finance.id)).toBe('finance');
  await members.updateRole.mutate({ user_id: finance.id, role: 'viewer' });
  expect(await roleOf(finance.id)).toBe('viewer');
});
