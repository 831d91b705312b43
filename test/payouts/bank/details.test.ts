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

it('no number of an account is stored readably, or written to the log', async () => {
  const bank = new BankMerchant(await service.createAccount());
  answered(201, await bank.connect());
  const { program, payout } = await bank.payee({ account_holder: 'Grace Hopper', iban: IBANS.netherlands });
  const { id } = await bank.export();
  await bank.fileOf(id);
  answered(200, await bank.account.api.post(`/payout_exports/${id}/payment`));
  await bank.account.api.get('/payout_attempts', { payout_id: payout.id });
  await bank.addMethod(program.affiliate.id, { account_holder: 'Grace Hopper', iban: `${IBANS.sweden}1` });
  const kept = `${await databaseRows(service)}\n${loggedBy(service)}`;
  expect(kept).toContain(payout.id);
  for (const number of [DEBTOR.iban, IBANS.netherlands, `${IBANS.sweden}1`]) expect(kept).not.toContain(number);
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
