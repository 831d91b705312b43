import { beforeAll, describe, expect, it } from 'vitest';
import type { Fields } from '../../support/http.ts';
import { answered } from '../../support/rest.ts';
import { useAccount, useService } from '../../support/suite.ts';
import { refusalOfExport } from '../program.ts';
import { BankMerchant, DEBTOR, IBANS } from './merchant.ts';
import { problemsOfPain001 } from './xsd.ts';

const service = useService();
const account = useAccount(service);
let bank: BankMerchant;

beforeAll(() => {
  bank = new BankMerchant(account);
});

const ADA = { account_holder: 'Ada Lovelace-Åström', iban: 'DE75 5121 0800 1245 1261 99' };

/** Returns the texts of all elements of a name. */
function texts(content: string, name: string): string[] {
  return [...content.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text]) => text!);
}

describe('the bank account of a merchant', () => {
  it('is needed before a file for the bank can be made', async () => {
    const owed = await bank.payee(ADA);
    expect(await refusalOfExport(account, { export_format: 'bank_sepa' })).toMatchObject([
      { path: 'export_format', code: 'not_connected' },
    ]);
    const check = await account.api.get<{ formats: Fields[] }>('/payout_exports/check');
    expect(check.body.formats.map(({ export_format }) => export_format)).toEqual(['csv', 'walleta', 'walletb']);
    expect(owed.payout.state).toBe('due');
  });

  it.each([
    [{ iban: 'DE89370400440532013001' }, 'credentials.iban'],
    [{ iban: '' }, 'credentials.iban'],
    [{ bic: 'COBA' }, 'credentials.bic'],
    [{ account_holder: '李雷' }, 'credentials.account_holder'],
    [{ constructor: 'x' }, 'credentials.constructor'],
  ])('is refused with %j', async (wrong, path) => {
    expect(await bank.connect({ ...DEBTOR, ...wrong })).toMatchObject({ status: 422, body: { details: [{ path }] } });
  });

  it('is shown in part', async () => {
    const { body } = await bank.connect({ ...DEBTOR, iban: 'de89 3704 0044 0532 0130 00' });
    expect(body).toMatchObject({ kind: 'bank_sepa', livemode: true, provider_account_id: 'DE…3000', has_endpoint: false });
    const kinds = await account.api.send('GET', '/api/settings/v1/payout_rails/kinds');
    expect(kinds.body).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({
          kind: 'bank_sepa',
          sends: false,
          fields: expect.arrayContaining([expect.objectContaining({ name: 'bic', required: false })]),
        }),
      ]),
    });
  });
});

describe('the bank account of an affiliate', () => {
  it.each([
    [{ iban: 'DE75512108001245126190' }, 'address.iban'],
    [{ iban: 'US00' }, 'address.iban'],
    [{ bic: 'NOPE' }, 'address.bic'],
    [{ account_holder: ' ' }, 'address.account_holder'],
    [{ account_holder: '🙂' }, 'address.account_holder'],
    [{ account_holder: 'A\u0000B' }, 'address.account_holder'],
    [{ street: 'Main St' }, 'address.town'],
    [{ town: 'Berlin', country: 'Germany' }, 'address.country'],
    [{ email: 'a@b.example' }, 'address.email'],
  ])('is refused with %j', async (wrong, path) => {
    const { program } = await bank.payee(ADA);
    await account.api.delete(`/payout_methods/${await methodOf(program.affiliate.id)}`);
    const { status, body } = await bank.addMethod(program.affiliate.id, { ...ADA, ...wrong });
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { details: expect.arrayContaining([expect.objectContaining({ path })]) },
    });
  });

  it('is shown in part, and a change holds the next payouts', async () => {
    const { program } = await bank.payee(ADA);
    const id = await methodOf(program.affiliate.id);
    expect((await account.api.get(`/payout_methods/${id}`)).body).toMatchObject({
      kind: 'bank_sepa',
      state: 'confirmed',
      hint: 'DE…6199',
    });
    const { body } = await account.api.patch(`/payout_methods/${id}`, { address: { ...ADA, iban: IBANS.france } });
    expect(body).toMatchObject({ hint: 'FR…2606', state: 'held' });
  });
});

async function methodOf(affiliateId: string): Promise<string> {
  const { body } = await account.api.get<{ data: Fields[] }>('/payout_methods', { affiliate_id: affiliateId });
  return String(body.data[0]!['id']);
}

describe('a file for the bank', () => {
  it('is a credit transfer with an item for each payout, which stays as it was made', async () => {
    const own = new BankMerchant(await service.createAccount());
    answered(201, await own.connect());
    const ada = await own.payee(ADA, { amount_cents: 123_450 });
    const ben = await own.payee(
      {
        account_holder: 'Ben',
        iban: IBANS.sweden,
        bic: 'swedsess',
        street: 'Götgatan',
        building: '7',
        town: 'Ås',
        country: 'se',
      },
      { amount_cents: 10 },
    );
    const { id, totals } = await own.export();
    const { filename, content } = await own.fileOf(id);
    expect(filename).toMatch(new RegExp(`-payouts-\\d{4}-\\d\\d-bank_sepa-${id.slice(-6)}\\.xml$`));
    expect(await problemsOfPain001(content)).toEqual([]);
    expect(totals).toEqual([{ currency: 'EUR', payouts_count: 2, amount_cents: 12_346 }]);
    expect(texts(content, 'CtrlSum')).toEqual(['123.46', '123.46']);
    expect(texts(content, 'NbOfTxs')).toEqual(['2', '2']);
    expect(texts(content, 'InstdAmt')).toEqual(['123.45', '0.01']);
    expect(texts(content, 'Nm')).toEqual([
      'Gebrueder Weiss GmbH + Co. KG',
      'Gebrueder Weiss GmbH + Co. KG',
      'Ada Lovelace-Astroem',
      'Ben',
    ]);
    expect(texts(content, 'IBAN')).toEqual([IBANS.merchant, 'DE75512108001245126199', IBANS.sweden]);
    expect(texts(content, 'BICFI')).toEqual(['COBADEFFXXX', 'SWEDSESS']);
    expect(content).toContain('<PstlAdr><StrtNm>Goetgatan</StrtNm><BldgNb>7</BldgNb><TwnNm>As</TwnNm><Ctry>SE</Ctry></PstlAdr>');
    const attempts = await Promise.all(
      [ada, ben].map(async ({ payout }) =>
        (await own.account.api.get<{ data: Fields[] }>('/payout_attempts', { payout_id: payout.id })).body.data.map((each) =>
          String(each['id']).replaceAll('_', '-'),
        ),
      ),
    );
    expect(texts(content, 'EndToEndId')).toEqual(attempts.flat());

    // Another account and another day change nothing.
    service.clock.advance(3, 'days');
    answered(201, await own.connect({ ...DEBTOR, account_holder: 'Another GmbH' }));
    expect((await own.fileOf(id)).content).toBe(content);
    expect((await own.fileOf(id, { export_format: 'csv' })).filename).toMatch(/\.csv$/);
  });

  it('leaves out payouts in other currencies and affiliates without an account at a bank, and names them', async () => {
    const own = new BankMerchant(await service.createAccount());
    answered(201, await own.connect({ account_holder: 'Example', iban: IBANS.netherlands }));
    await own.payee(ADA);
    const dollars = await own.payee(ADA, { currency: 'USD' });
    const ben = await own.payee(ADA);
    await own.account.api.delete(`/payout_methods/${await methodIn(own, ben.program.affiliate.id)}`);
    service.clock.advance(8, 'days');
    expect(await refusalOfExport(own.account, { export_format: 'bank_sepa' })).toMatchObject([
      { code: 'unsupported_currency' },
      { code: 'missing_wallet_address' },
    ]);
    const made = await own.export({ leave_out_unpayable: true });
    expect(made).toMatchObject({ payouts_count: 1, left_out: [{ payout_id: dollars.payout.id }, { payout_id: ben.payout.id }] });
    const { content } = await own.fileOf(made.id);
    expect(await problemsOfPain001(content)).toEqual([]);
    expect(texts(content, 'Id')).toContain('NOTPROVIDED');
  });

  it('is asked for on the Monday after a weekend', async () => {
    const own = new BankMerchant(await service.createAccount());
    answered(201, await own.connect());
    await own.payee(ADA);
    const { id, created_at } = await own.export();
    const [day] = texts((await own.fileOf(id)).content, 'Dt');
    expect([1, 2, 3, 4, 5]).toContain(new Date(day!).getUTCDay());
    expect(new Date(day!).getTime() - Date.parse(created_at.slice(0, 10))).toBeLessThanOrEqual(2 * 86_400_000);
  });
});

async function methodIn({ account: { api } }: BankMerchant, affiliateId: string): Promise<string> {
  const { body } = await api.get<{ data: Fields[] }>('/payout_methods', { affiliate_id: affiliateId });
  return String(body.data[0]!['id']);
}
