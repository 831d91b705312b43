import { expect, it } from 'vitest';
import { Assistant } from '../../mcp/assistant.ts';
import { PortalVisitor } from '../../portal/people.ts';
import { databaseRows, loggedBy } from '../../support/dump.ts';
import type { Fields } from '../../support/http.ts';
import { answered } from '../../support/rest.ts';
import { useService } from '../../support/suite.ts';
import { payee } from '../program.ts';
import { BankMerchant, DEBTOR, IBANS } from './merchant.ts';

const service = useService();

const ACH = { account_holder: 'Ada King', routing_number: '121000358', account_type: 'checking', holder_type: 'person' };

interface Shown {
  data: { id: string; kind: string; hint: string; state: string }[];
  offered: { kind: string; fields: Fields[] }[];
}

it('an affiliate enters a bank account in the portal once the merchant pays to bank accounts', async () => {
  const bank = new BankMerchant(await service.createAccount());
  const email = 'ada@bank.example';
  await payee(bank.account, { currency: 'EUR', person: { email, walleta_email: null, walletb_email: null } });
  const ada = await PortalVisitor.enter(service, bank.account, email);
  const kinds = async () => (await ada.query<Shown>('portal.listPayoutMethods')).offered.map(({ kind }) => kind);
  expect(await kinds()).toEqual(['paypal', 'wise']);
  expect((await bank.account.api.get('/payout_methods/kinds')).body).toMatchObject({
    data: [{ kind: 'paypal' }, { kind: 'wise' }],
  });
  answered(201, await bank.connect());
  expect(await kinds()).toEqual(['paypal', 'wise', 'bank_sepa']);

  const address = { account_holder: 'Ada Lovelace', iban: 'DE75 5121 0800 1245 1261 99' };
  expect(
    await ada.refusal('mutate', 'portal.setPayoutMethod', { kind: 'bank_sepa', address: { ...address, iban: 'DE7' } }),
  ).toEqual({
    status: 422,
    code: 'VALIDATION_ERROR',
  });
  expect((await ada.mutate<Shown>('portal.setPayoutMethod', { kind: 'bank_sepa', address })).data).toMatchObject([
    { kind: 'bank_sepa', hint: 'DE…6199', state: 'confirmed' },
  ]);
  await service.mailbox.take(email, /payout details/);
  service.clock.advance(1, 'hours');
  const changed = await PortalVisitor.enter(service, bank.account, email);
  const { data } = await changed.mutate<Shown>('portal.setPayoutMethod', {
    kind: 'bank_sepa',
    address: { ...address, iban: IBANS.france },
  });
  expect(data).toMatchObject([{ hint: 'FR…2606', state: 'held' }]);
  const { text } = await service.mailbox.take(email, /payout details/);
  expect(text).not.toContain('2606');
});

it('no number of an account is stored readably, written to the log or told, in whatever way it came', async () => {
  const bank = new BankMerchant(await service.createAccount());
  const origin = {
    routing_number: '021000021',
    company_name: 'Example Inc',
    company_id: '1987654321',
    bank_name: 'Example Bank',
  };
  answered(201, await bank.connect());
  answered(201, await bank.connect(origin, 'bank_ach'));
  const ach = (account_number: string) => ({ ...ACH, account_number });
  const { program, payout } = await bank.payee({ account_holder: 'Grace Hopper', iban: IBANS.netherlands });
  const dollars = await bank.payee(ach('550066117722'), { kind: 'bank_ach', currency: 'USD' });
  const email = 'ada@numbers.example';
  const inPortal = await bank.payee(ach('551177228833'), { kind: 'bank_ach', currency: 'USD', person: { email } });
  const told: unknown[] = [];
  // A preview, a repeated request, a refused one and the portal.
  const affiliate_id = inPortal.program.affiliate.id;
  const added = { affiliate_id, kind: 'bank_sepa', address: { account_holder: 'Ada King', iban: IBANS.france } };
  told.push((await bank.account.api.post('/payout_methods', added, { 'X-Dry-Run': 'true' })).body);
  for (let times = 0; times < 2; times += 1)
    told.push((await bank.account.api.post('/payout_methods', added, { 'Idempotency-Key': 'a method' })).body);
  told.push((await bank.addMethod(program.affiliate.id, { account_holder: 'Grace Hopper', iban: `${IBANS.sweden}1` })).body);
  told.push((await bank.addMethod(program.affiliate.id, ach('99887766554433221100'), 'bank_ach')).body);
  const visitor = await PortalVisitor.enter(service, bank.account, email);
  told.push(await visitor.mutate('portal.setPayoutMethod', { kind: 'bank_ach', address: ach('552288339944') }));
  for (const export_format of ['bank_sepa', 'bank_ach'] as const) {
    const { id } = await bank.export({ export_format, leave_out_unpayable: true });
    expect((await bank.fileOf(id)).content).toContain(export_format === 'bank_sepa' ? IBANS.netherlands : '550066117722');
    answered(200, await bank.account.api.post(`/payout_exports/${id}/payment`, { already_sent: true }));
  }
  for (const path of ['/payout_attempts', '/payout_methods', '/events', '/payouts'])
    told.push((await bank.account.api.get(path, { limit: 100 })).body);
  const kept = [await databaseRows(service), loggedBy(service), JSON.stringify(told)].join('\n');
  for (const { payout: paid } of [{ payout }, dollars]) expect(kept).toContain(paid.id);
  const ibans = [DEBTOR.iban, IBANS.netherlands, IBANS.france, `${IBANS.sweden}1`];
  const planted = [...ibans, '550066117722', '551177228833', '552288339944', '99887766554433221100'];
  const formsOf = (number: string) => [
    number,
    Buffer.from(number).toString('hex'),
    Buffer.from(number).toString('base64').slice(0, -4),
  ];
  expect(planted.filter((number) => formsOf(number).some((form) => kept.includes(form)))).toEqual([]);
});

it('assistants see that there is a file, and no account number in it', async () => {
  const bank = new BankMerchant(await service.createAccount());
  answered(201, await bank.connect());
  await bank.payee({ account_holder: 'Grace Hopper', iban: IBANS.netherlands });
  const { id } = await bank.export();
  await using assistant = await Assistant.overHttp(service, bank.account.apiKey);
  for (const input of [
    { action: 'get', id },
    { action: 'get', id, export_format: 'bank_sepa' },
  ]) {
    const answer = JSON.stringify(await assistant.call('payout_exports', input));
    expect(answer).toContain('A person downloads it');
    expect(answer).not.toContain(IBANS.netherlands);
    expect(answer).not.toContain(DEBTOR.iban);
  }
});
