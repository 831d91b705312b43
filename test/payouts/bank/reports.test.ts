import { beforeEach, describe, expect, it } from 'vitest';
import type { Fields } from '../../support/http.ts';
import { answered } from '../../support/rest.ts';
import { useService } from '../../support/suite.ts';
import { announcedPaid, discrepancies, type Payee } from '../program.ts';
import { BankMerchant, IBANS } from './merchant.ts';
import { entry, inFile, notification, statement, statusOf, type Told, wholeEntry } from './reports.ts';

const service = useService({ writesRows: true });

let bank: BankMerchant;
let payees: Payee[];
let exportId: string;
let file: string;
/** The payments of the file, as the bank tells of them. */
let told: Told[];

beforeEach(async () => {
  bank = new BankMerchant(await service.createAccount());
  answered(201, await bank.connect());
  payees = [];
  for (const [at, iban] of [IBANS.germany, IBANS.france, IBANS.sweden].entries())
    payees.push(await bank.payee({ account_holder: `Payee ${at}`, iban }, { amount_cents: 10_000 * (at + 1) }));
  exportId = (await bank.export()).id;
  file = inFile(exportId);
  told = await Promise.all(
    payees.map(async ({ payout }) => ({ id: inFile((await attemptsOf(payout.id))[0]!['id']), cents: payout.amount_cents })),
  );
});

async function attemptsOf(payoutId: string): Promise<Fields[]> {
  return (await bank.account.api.get<{ data: Fields[] }>('/payout_attempts', { payout_id: payoutId })).body.data;
}

const upload = (bank_report: string, id = exportId) => bank.account.api.post(`/payout_exports/${id}/report`, { bank_report });
const applied = async (report: string) => answered(200, await upload(report));

async function states(): Promise<unknown[]> {
  return Promise.all(
    payees.map(async ({ payout: { id } }) => {
      const { body, status } = await bank.account.api.get(`/payouts/${id}`);
      return status === 200 ? body['state'] : 'gone';
    }),
  );
}

const counts = (booked: number, rejected: number, returned: number, unchanged = 0) => ({
  booked_count: booked,
  rejected_count: rejected,
  returned_count: returned,
  unchanged_count: unchanged,
});

describe('a report of the bank', () => {
  it('gives each payment its own end: rejected, booked, and a week later returned', async () => {
    const [first, second, third] = told as [Told, Told, Told];
    expect(await applied(statusOf(file, {}, [{ ...first, code: 'AC01' }]))).toMatchObject({
      ...counts(0, 1, 0),
      problems: [],
      payout_export: { state: 'processing', paid_count: 0 },
    });
    expect(await states()).toEqual(['due', 'processing', 'processing']);
    expect((await attemptsOf(payees[0]!.payout.id))[0]).toMatchObject({
      state: 'failed',
      reason: 'The account number is wrong (AC01).',
      raw_state: 'RJCT',
    });

    expect(await applied(statement(entry([second, third])))).toMatchObject({
      ...counts(2, 0, 0),
      payout_export: { state: 'paid', paid_count: 2 },
    });
    expect(await states()).toEqual(['due', 'paid', 'paid']);
    service.clock.advance(7, 'days');
    const back = notification(entry([{ ...third, cents: third.cents - 150, code: 'AC04' }], 'CRDT'));
    expect(await applied(back)).toMatchObject({ ...counts(0, 0, 1), payout_export: { paid_count: 2, returned_count: 1 } });
    expect(await states()).toEqual(['due', 'paid', 'returned']);
    expect((await attemptsOf(payees[2]!.payout.id))[0]).toMatchObject({ state: 'returned', returned_cents: third.cents - 150 });
    expect(await applied(back)).toMatchObject(counts(0, 0, 0, 1));
    expect([...(await announcedPaid(service, bank.account.id)).values()]).toEqual([1, 1]);
    expect(await discrepancies(bank.account)).toEqual([]);

    // The rejected payout and the returned one are paid by the next file.
    service.clock.advance(1, 'days');
    const next = await bank.export();
    expect(next).toMatchObject({ payouts_count: 2, totals: [{ amount_cents: first.cents + third.cents }] });
  });

  it('has the same effect in every order of the statements, and when it is repeated', async () => {
    const [first, second, third] = told as [Told, Told, Told];
    const reports = [
      notification(entry([{ ...second, code: 'AC06' }], 'CRDT')),
      statement(entry([second]), entry([third])),
      statusOf(file, {}, [{ ...first, code: 'RR04' }]),
    ];
    for (const report of [...reports, ...reports.toReversed()]) await applied(report);
    expect(await states()).toEqual(['due', 'returned', 'paid']);
    expect(await discrepancies(bank.account)).toEqual([]);
  });

  it('books a file as a whole if its sum and number are those of the payments', async () => {
    const cents = told.reduce((sum, each) => sum + each.cents, 0);
    expect(await applied(notification(wholeEntry(file, { cents: cents - 1, count: 3 })))).toMatchObject({
      ...counts(0, 0, 0),
      problems: [{ payout_id: null, code: 'sum_mismatch' }],
    });
    await applied(statusOf(file, {}, [{ ...told[1]!, code: 'AC04' }]));
    expect(await applied(notification(wholeEntry(file, { cents: cents - told[1]!.cents, count: 2 })))).toMatchObject(
      counts(2, 0, 0),
    );
    expect(await states()).toEqual(['paid', 'due', 'paid']);
  });

  it('books what is left of a file of which a payout was taken out, and alarms if the bank had got the file before', async () => {
    const all = told.reduce((sum, each) => sum + each.cents, 0);
    const last = payees[2]!.payout;
    const takeOut = () => bank.account.api.post(`/payout_exports/${exportId}/take_out`, { payout_ids: [last.id] });
    answered(200, await takeOut());
    expect((await bank.account.api.get(`/payout_exports/${exportId}`)).body['content']).not.toContain(told[2]!.id);
    const rest = { cents: all - told[2]!.cents, count: 2 };
    expect(await applied(notification(wholeEntry(file, rest)))).toMatchObject({
      ...counts(2, 0, 0),
      problems: [],
      payout_export: { state: 'paid', paid_count: 2, payouts_count: 2 },
    });
    expect(await states()).toEqual(['paid', 'paid', 'due']);
    const former = notification(wholeEntry(file, { cents: all, count: 3 }));
    const alarm = { problems: [{ payout_id: last.id, code: 'arrived_after_all' }] };
    expect(await applied(former)).toMatchObject({ ...counts(0, 0, 0, 2), ...alarm });
    expect(await applied(former)).toMatchObject({ ...counts(0, 0, 0, 3), ...alarm });
    expect(await states()).toEqual(['paid', 'paid', 'due']);
    expect((await bank.account.api.get(`/payout_exports/${exportId}`)).body).toMatchObject({ state: 'paid', payouts_count: 2 });
  });

  it('releases an export whose file was rejected, and alarms if the bank books it after all', async () => {
    expect(await applied(statusOf(file, { state: 'RJCT', code: 'FF01' }))).toMatchObject({
      ...counts(0, 3, 0),
      payout_export: { state: 'released' },
    });
    expect(await states()).toEqual(['due', 'due', 'due']);
    await bank.export();
    expect(await applied(statement(entry([told[0]!])))).toMatchObject({
      ...counts(0, 0, 0),
      problems: [{ payout_id: payees[0]!.payout.id, code: 'arrived_after_all' }],
    });
    expect(await states()).toEqual(['processing', 'processing', 'processing']);
    expect(await discrepancies(bank.account)).toMatchObject([{ code: 'paid_twice' }]);
  });

  it('leaves a payment claimed that the bank has booked with another amount', async () => {
    expect(await applied(statement(entry([{ ...told[0]!, cents: told[0]!.cents + 1 }])))).toMatchObject({
      ...counts(0, 0, 0),
      problems: [{ payout_id: payees[0]!.payout.id, code: 'amount_mismatch' }],
    });
    expect(await states()).toEqual(['processing', 'processing', 'processing']);
  });

  it('says nothing while an entry is not booked, and about payments of others', async () => {
    const pending = statement(entry(told, 'DBIT', '<Sts>PDNG</Sts>'), entry([{ id: 'NOTPROVIDED', cents: 5 }]));
    expect(await applied(pending)).toMatchObject({ ...counts(0, 0, 0), other_count: 1 });
    for (const state of ['ACCP', 'ACSP', 'PDNG', 'RCVD', 'constructor'])
      expect(await applied(statusOf(file, { state }))).toMatchObject(counts(0, 0, 0));
    expect(await states()).toEqual(['processing', 'processing', 'processing']);
  });

  it.each([
    ['no report', 'hello'],
    ['another document', '<Document><Other/></Document>'],
    ['half a document', () => statement(entry(told)).slice(0, -40)],
    ['entities', () => statement(entry(told)).replace('?>', '?><!DOCTYPE a [<!ENTITY b "c">]>')],
    ['reserved names', '<Document><__proto__/></Document>'],
    ['deep nesting', `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`],
  ])('is refused as a whole if it is %s', async (_, report) => {
    expect(await upload(typeof report === 'string' ? report : report())).toMatchObject({
      status: 422,
      body: { details: [{ path: 'bank_report', code: 'unreadable' }] },
    });
    expect(await states()).toEqual(['processing', 'processing', 'processing']);
  });

  it('is for exports of bank files, of the own account', async () => {
    const other = new BankMerchant(await service.createAccount());
    expect((await other.account.api.post(`/payout_exports/${exportId}/report`, { bank_report: '<a/>' })).status).toBe(404);
    await other.payee({ account_holder: 'A', iban: IBANS.sweden });
    const { id } = await other.export({ export_format: 'csv' });
    expect(await other.account.api.post(`/payout_exports/${id}/report`, { bank_report: '<a/>' })).toMatchObject({
      status: 422,
      body: { details: [{ code: 'not_supported' }] },
    });
  });

  it('keeps an export from being deleted once a payment was booked, and the others are paid or refused', async () => {
    await applied(statement(entry([told[0]!])));
    expect(await bank.account.api.delete(`/payout_exports/${exportId}`)).toMatchObject({
      status: 422,
      body: { details: [{ code: 'invalid_state' }] },
    });
    const paid = await bank.account.api.post(`/payout_exports/${exportId}/payment`, {
      refused: [{ payout_id: payees[1]!.payout.id, reason: 'Closed' }],
    });
    expect(paid).toMatchObject({ status: 200, body: { state: 'paid', paid_count: 2 } });
    expect(await states()).toEqual(['paid', 'due', 'paid']);
    expect(await discrepancies(bank.account)).toEqual([]);
  });
});
