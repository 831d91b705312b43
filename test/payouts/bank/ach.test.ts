import { beforeAll, describe, expect, it } from 'vitest';
import { answered } from '../../support/rest.ts';
import { useService } from '../../support/suite.ts';
import { payoutOf } from '../program.ts';
import { BankMerchant } from './merchant.ts';

const service = useService();
let bank: BankMerchant;

const DEBTOR = { company_name: 'Example Inc', company_id: '1123456789', bank_name: 'Example Bank', routing_number: '021000021' };
const ADA = {
  account_holder: 'Ada Lovelace',
  routing_number: '121 000 358',
  account_number: '0012 3456 789',
  account_type: 'savings',
  holder_type: 'person',
};

beforeAll(async () => {
  bank = new BankMerchant(await service.createAccount());
});

describe('the accounts', () => {
  it.each([
    [{ routing_number: '021000022' }, 'credentials.routing_number'],
    [{ company_id: '12' }, 'credentials.company_id'],
    [{ immediate_origin: 'x' }, 'credentials.immediate_origin'],
    [{ iban: 'DE' }, 'credentials.iban'],
  ])('of merchants are refused with %j', async (wrong, path) => {
    expect(await bank.connect({ ...DEBTOR, ...wrong }, 'bank_ach')).toMatchObject({ status: 422, body: { details: [{ path }] } });
  });

  it.each([
    [{ routing_number: '121000359' }, 'address.routing_number'],
    [{ account_number: '12' }, 'address.account_number'],
    [{ account_number: '123456789012345678' }, 'address.account_number'],
    [{ account_type: 'constructor' }, 'address.account_type'],
    [{ holder_type: '' }, 'address.holder_type'],
  ])('of affiliates are refused with %j', async (wrong, path) => {
    const { program } = await bank.payee({ ...ADA, account_number: '99 99 99' }, { kind: 'bank_ach', currency: 'USD' });
    const other = await bank.account.api.patch(`/payout_methods/${await methodOf(program.affiliate.id)}`, {
      address: { ...ADA, ...wrong },
    });
    expect(other).toMatchObject({ status: 422, body: { details: [{ path }] } });
  });

  async function methodOf(affiliateId: string): Promise<string> {
    const { body } = await bank.account.api.get<{ data: { id: string; hint: string }[] }>('/payout_methods', {
      affiliate_id: affiliateId,
    });
    expect(body.data).toMatchObject([{ hint: '…999' }]);
    return body.data[0]!.id;
  }
});

describe('a file for ACH', () => {
  it('pays dollars, has another letter than the file before on the day, and is marked as paid', async () => {
    const own = new BankMerchant(await service.createAccount());
    expect(answered(201, await own.connect(DEBTOR, 'bank_ach'))).toMatchObject({ provider_account_id: '…6789' });
    const ada = await own.payee(ADA, { kind: 'bank_ach', currency: 'USD', amount_cents: 12_340 });
    const euros = await own.payee(ADA, { kind: 'bank_ach', currency: 'EUR' });
    const first = await own.export({ export_format: 'bank_ach', leave_out_unpayable: true });
    expect(first).toMatchObject({ payouts_count: 1, left_out: [{ payout_id: euros.payout.id, code: 'unsupported_currency' }] });
    const { filename, content } = await own.fileOf(first.id);
    expect(filename).toMatch(/-payouts-\d{4}-\d{2}-bank_ach-\w{6}\.ach$/);
    const [header, , entry] = content.split('\r\n');
    expect(header).toContain('0210000211123456789');
    expect(header!.charAt(33)).toBe('A');
    expect(entry!.slice(0, 39)).toBe('63212100035800123456789      0000001234');
    expect(entry!.slice(54, 76)).toBe('ADA LOVELACE          ');

    const ben = await own.payee({ ...ADA, holder_type: 'company' }, { kind: 'bank_ach', currency: 'USD' });
    const second = await own.export({ export_format: 'bank_ach', leave_out_unpayable: true });
    const next = (await own.fileOf(second.id)).content.split('\r\n');
    expect(next[0]!.charAt(33)).toBe('B');
    expect(next[1]!.slice(50, 53)).toBe('CCD');
    expect((await own.fileOf(first.id)).content).toBe(content);

    answered(200, await own.account.api.post(`/payout_exports/${first.id}/payment`));
    expect(await payoutOf(own.account, ada.payout.id)).toMatchObject({ state: 'paid' });
    expect(await payoutOf(own.account, ben.payout.id)).toMatchObject({ state: 'processing' });
    expect(await own.account.api.post(`/payout_exports/${second.id}/report`, { bank_report: '<a/>' })).toMatchObject({
      status: 422,
    });
  });
});
