/** Two affiliates who are paid to the same account (docs/rules/payouts.md#payout-methods). */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { METHODS } from '../../packages/core/src/payouts/methods/methods.ts';
import type { Fields } from '../support/http.ts';
import { sendAllMail } from '../support/mailbox.ts';
import { useAccount, useService } from '../support/suite.ts';
import { payee, type Payee } from './program.ts';

const service = useService();
const account = useAccount(service);
const elsewhere = useAccount(service);

const IBAN = 'DE89370400440532013000';
const sepa = (iban: string, account_holder = 'Ada King') => ({ kind: 'bank_sepa', address: { account_holder, iban } });
const aba = { routing_number: '021000021', account_number: '000-123456' };
const place = { street: '1 Main St', town: 'New York', postcode: '10001', country: 'US' };

/** Two ways to write one account. */
const SAME: Record<string, [Fields, Fields]> = {
  'an IBAN, with other blanks, case and holder': [sepa('DE89 3704 0044 0532 0130 00'), sepa('de89370400440532013000', 'Bob Ray')],
  'an IBAN at the bank and at Wise': [
    sepa('GB29NWBK60161331926819'),
    { kind: 'wise_iban', address: { account_holder: 'Bob Ray', holder_type: 'person', iban: 'GB29 NWBK 6016 1331 9268 19' } },
  ],
  'a US account at the bank and at Wise': [
    { kind: 'bank_ach', address: { account_holder: 'Ada', ...aba, account_type: 'checking', holder_type: 'person' } },
    {
      kind: 'wise_aba',
      address: {
        account_holder: 'Bob Ray',
        holder_type: 'person',
        account_type: 'savings',
        ...place,
        ...aba,
        account_number: '000123456',
      },
    },
  ],
  'a PayPal address in another case': [
    { kind: 'paypal', address: { email: 'Same@pay.example' } },
    { kind: 'paypal', address: { email: 'same@pay.example' } },
  ],
  'a Stripe account': [
    { kind: 'stripe', address: { account_id: 'acct_1032D82eZvKYlo2C' } },
    { kind: 'stripe', address: { account_id: ' acct_1032D82eZvKYlo2C' } },
  ],
};

const NOBODY = { person: { walleta_email: null, walletb_email: null } };
const enter = async (of: typeof account, { program }: Payee, method: Fields) => {
  const reply = await of.api.post('/payout_methods', { affiliate_id: program.affiliate.id, ...method });
  expect(reply).toMatchObject({ status: 201 });
  return reply.body;
};
const shared = async (of: typeof account, path: string) =>
  (await of.api.get(path, { expand: 'shared_accounts' })).body['shared_accounts'];
const ofAffiliate = (of: typeof account, { program }: Payee) => shared(of, `/affiliates/${program.affiliate.id}`);

beforeAll(() => {
  service.services.payoutMethods = METHODS;
});

it.each(Object.entries(SAME))('%s is shown at both, with their payouts, and told', async (_, [first, second]) => {
  const [ada, bob] = [await payee(account, NOBODY), await payee(account, NOBODY)];
  await enter(account, ada, first);
  expect(await ofAffiliate(account, ada)).toEqual([]);
  await sendAllMail(service.services);
  service.mailbox.mails.length = 0;
  const { id } = await enter(account, bob, second);
  expect(await ofAffiliate(account, ada)).toMatchObject([{ affiliate_id: bob.program.affiliate.id, kind: second['kind'] }]);
  expect(await shared(account, `/payouts/${bob.payout.id}`)).toMatchObject([{ affiliate_id: ada.program.affiliate.id }]);
  await sendAllMail(service.services);
  expect(service.mailbox.mails.map(({ text }) => text).join()).toContain('is paid to the same account');
  await account.api.delete(`/payout_methods/${String(id)}`);
  expect(await ofAffiliate(account, ada)).toEqual([]);
});

it('the programs of two merchants never meet, and other accounts are not the same', async () => {
  const [ada, bob] = [await payee(account, NOBODY), await payee(account, NOBODY)];
  const here = await payee(elsewhere, NOBODY);
  await enter(account, ada, sepa(IBAN));
  await enter(elsewhere, here, sepa(IBAN));
  await enter(account, bob, sepa('FR1420041010050500013M02606'));
  expect(await ofAffiliate(elsewhere, here)).toEqual([]);
  expect(await ofAffiliate(account, bob)).toEqual([]);
});

it('accounts are compared without being stored readably', async () => {
  const { rows } = await sql`select * from payout_method`.execute(service.services.database.kysely);
  expect(JSON.stringify(rows)).not.toMatch(/370400440532013000|000123456|same@pay|1032D82eZvKYlo2C/i);
});
