import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { program, refer, sell, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { PortalVisitor } from './people.ts';

const service = useService();
const account = useAccount(service, 'file');

async function enter(name: string) {
  const email = `${unique(name)}@partner.example`;
  const made = await program(account, { days_until_commissions_are_due: 0 }, { email });
  return { ...made, email, visitor: await PortalVisitor.enter(service, account, email) };
}

it('an affiliate reads the accepted terms again', async () => {
  const { visitor } = await enter('ada');
  const profile = () => visitor.query<Outputs['portal']['getProfile']>('portal.getProfile');
  expect((await profile()).accepted_terms).toBeNull();
  await account.client.portalSettings.update.mutate({ terms: 'Be kind.' });
  await visitor.mutate('portal.acceptTerms', { version: 1 });
  await account.client.portalSettings.update.mutate({ terms: 'Be honest.' });
  expect((await profile()).accepted_terms).toMatchObject({ version: 1, body: 'Be kind.' });
});

it('an affiliate leaves, and still reads what was earned', async () => {
  const { visitor, affiliate, ...made } = await enter('grace');
  await sell(account, { referral_id: (await refer(account, { affiliate, ...made })).id });
  await visitor.mutate('portal.leave');
  expect((await account.client.affiliates.get.query({ id: affiliate.id })).archived_at).not.toBeNull();
  const { earnings } = await visitor.query<Outputs['portal']['home']>('portal.home');
  expect(earnings).toMatchObject([{ due_cents: 1_000 }]);
  expect(await visitor.refusal('mutate', 'portal.createLink', { url: 'https://shop.example.com/' })).toMatchObject({
    status: 403,
  });
});

it('an affiliate exports the stored data, and erases them', async () => {
  const { visitor, affiliate, email } = await enter('linus');
  await visitor.mutate('portal.updateProfile', { billing_details: 'Linus Ltd, VAT 789' });
  const data = await visitor.mutate<Outputs['portal']['exportData']>('portal.exportData');
  expect(data).toMatchObject({ kind: 'affiliate', id: affiliate.id });
  for (const known of [email, 'VAT 789']) expect(JSON.stringify(data)).toContain(known);
  await visitor.mutate('portal.eraseData');
  const erased = await account.client.affiliates.get.query({ id: affiliate.id });
  expect(JSON.stringify(erased)).not.toContain(email);
  const affiliates = service.services.database.kysely.selectFrom('affiliate').select('billing_details');
  const rows = await affiliates.where('id', '=', affiliate.id).execute();
  expect(rows).toEqual([{ billing_details: null }]);
});

it('requires a sign-in within the last 15 minutes, and none of the programs of the merchant can do it', async () => {
  const { visitor, affiliate } = await enter('hedy');
  const { url } = await account.client.affiliates.createPortalLink.mutate({ id: affiliate.id });
  const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token')!;
  const opened = { 'X-Portal-Token': (await account.client.portal.enter.mutate({ token })).token };
  await service.services.database.kysely
    .updateTable('auth_session')
    .set({ created_at: sql`now() - interval '16 minutes'` })
    .execute();
  for (const act of ['exportData', 'leave', 'eraseData', 'createKey']) {
    expect(await visitor.refusal('mutate', `portal.${act}`)).toMatchObject({ status: 403 });
    expect((await visitor.browser.mutate(`portal.${act}`, {}, opened)).status).toBe(403);
  }
});
