/** The statements about payments in the text of a bank's report. `reports.test.ts` has the changes that follow from them. */
import { describe, expect, it } from 'vitest';
import { readReport } from '../../../packages/core/src/payouts/methods/bank_sepa/read-report.ts';
import { UnreadableReport } from '../../../packages/core/src/payouts/port/method.ts';
import { entry, notification, statement, statusOf, wholeEntry } from './reports.ts';

/** Returns the statements of a report, one line each: the subject, the outcome, the amount, the number of payments, the reason and the bank's word. */
async function said(report: string): Promise<string[]> {
  return (await readReport(report)).map(({ of, outcome, amount, count, reason, raw_state }) =>
    [
      Object.values(of)[0],
      outcome,
      amount === null ? '?' : `${amount.amount_cents} ${amount.currency}`,
      ...(count === null ? [] : [`× ${count}`]),
      raw_state,
      ...(reason === null ? [] : [reason]),
    ].join(' | '),
  );
}

/** A status of a file with elements in place of those of `statusOf`. */
const status = (group: string, blocks: string) =>
  `<Document><CstmrPmtStsRpt><OrgnlGrpInfAndSts>${group}</OrgnlGrpInfAndSts>${blocks}</CstmrPmtStsRpt></Document>`;
const payment = (of: string) => `<OrgnlPmtInfAndSts><TxInfAndSts>${of}</TxInfAndSts></OrgnlPmtInfAndSts>`;
const booked = (details: string, head = '<Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>') =>
  notification(`<Ntry>${head}${details}</Ntry>`);
const one = (of: string) => `<NtryDtls><TxDtls>${of}</TxDtls></NtryDtls>`;
const ID = '<Refs><EndToEndId>patt-1</EndToEndId></Refs>';

describe('a status of a file', () => {
  it('says of the file that it was rejected, or booked', async () => {
    expect(await said(statusOf('pexp-1', { state: 'RJCT', code: 'FF01' }))).toEqual([
      'pexp_1 | rejected | ? | RJCT | The bank cannot read the file (FF01).',
    ]);
    expect(await said(statusOf('pexp-1', { state: 'ACSC', code: 'FF01' }))).toEqual(['pexp_1 | booked | ? | ACSC']);
    expect(await said(statusOf('pexp-1', { state: 'ACCC' }))).toEqual(['pexp_1 | booked | ? | ACCC']);
  });

  it('says the same of its block of payments', async () => {
    const block =
      '<OrgnlPmtInfAndSts><PmtInfSts>RJCT</PmtInfSts><StsRsnInf><Rsn><Cd>AM04</Cd></Rsn></StsRsnInf></OrgnlPmtInfAndSts>';
    expect(await said(status('<OrgnlMsgId>pexp-1</OrgnlMsgId>', block))).toEqual([
      'pexp_1 | rejected | ? | RJCT | There is not enough money on your account (AM04).',
    ]);
    expect(await said(status('', block))).toEqual([]);
  });

  it('says which payments were rejected, with their amounts', async () => {
    const told = [
      { id: 'patt-1', cents: 1_005, code: 'AC04' },
      { id: 'patt-2', cents: 7 },
    ];
    expect(await said(statusOf('pexp-1', {}, told))).toEqual([
      'patt_1 | rejected | 1005 EUR | RJCT | The account is closed (AC04).',
      'patt_2 | rejected | 7 EUR | RJCT | The bank gives no reason.',
    ]);
  });

  it('says of a payment that it was booked, without a reason', async () => {
    const of = '<OrgnlEndToEndId>patt-1</OrgnlEndToEndId><TxSts>ACSC</TxSts><StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf>';
    expect(await said(status('', payment(of)))).toEqual(['patt_1 | booked | ? | ACSC']);
  });

  it('says nothing of a state that is not final, or of a payment without an id', async () => {
    expect(await said(statusOf('pexp-1', { state: 'ACSP' }))).toEqual([]);
    expect(await said(status('', payment('<OrgnlEndToEndId>patt-1</OrgnlEndToEndId><TxSts>PDNG</TxSts>')))).toEqual([]);
    expect(await said(status('', payment('<TxSts>RJCT</TxSts>')))).toEqual([]);
  });
});

describe('a reason', () => {
  const reasonFor = async (reason: string) => {
    const of = `<OrgnlEndToEndId>patt-1</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf>${reason}</StsRsnInf>`;
    return (await readReport(status('', payment(of))))[0]!.reason;
  };

  it.each([
    ['<Rsn><Cd>AC01</Cd></Rsn>', 'The account number is wrong (AC01).'],
    ['<Rsn><Prtry>DUPL</Prtry></Rsn>', 'The bank takes it for a duplicate (DUPL).'],
    ['<Rsn><Cd>XY999</Cd></Rsn>', 'The bank says XY999.'],
    // Words of a bank may have the number of an account.
    ['<Rsn><Prtry>DE75512108001245126199</Prtry></Rsn>', 'The bank gives no reason.'],
    ['<Rsn><Prtry>Konto AC01</Prtry></Rsn>', 'The bank gives no reason.'],
    ['<Rsn><Prtry>AC01 closed</Prtry></Rsn>', 'The bank gives no reason.'],
    ['<Rsn><Cd>AC0123</Cd></Rsn>', 'The bank gives no reason.'],
    ['', 'The bank gives no reason.'],
  ])('%s is told as “%s”', async (reason, words) => {
    expect(await reasonFor(reason)).toBe(words);
  });
});

describe('an entry of an account', () => {
  it('says which payments left the account, and which came back', async () => {
    const told = [
      { id: 'patt-1', cents: 100 },
      { id: 'patt-2', cents: 200 },
    ];
    expect(await said(statement(entry(told)))).toEqual(['patt_1 | booked | 100 EUR | BOOK', 'patt_2 | booked | 200 EUR | BOOK']);
    expect(await said(notification(entry([{ ...told[0]!, code: 'AC06' }], 'CRDT')))).toEqual([
      'patt_1 | returned | 100 EUR | AC06 | The account is blocked (AC06).',
    ]);
  });

  it('says that a reversed payment came back', async () => {
    const reversal = '<Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><RvslInd>true</RvslInd><Sts>BOOK</Sts>';
    expect(await said(booked(one(ID), reversal))).toEqual(['patt_1 | returned | 500 EUR | BOOK | The bank gives no reason.']);
    expect(await said(booked(one(ID), reversal.replace('true', 'false')))).toEqual(['patt_1 | booked | 500 EUR | BOOK']);
  });

  it('has directions of its payments, which count before its own', async () => {
    expect(await said(booked(one(`${ID}<CdtDbtInd>CRDT</CdtDbtInd>`)))).toEqual([
      'patt_1 | returned | 500 EUR | BOOK | The bank gives no reason.',
    ]);
  });

  it('tells the amount of a payment: its own, that of its details, or that of the entry if it is the only one', async () => {
    const details = '<AmtDtls><TxAmt><Amt Ccy="EUR">4.00</Amt></TxAmt></AmtDtls>';
    expect(await said(booked(one(`${ID}<Amt Ccy="EUR">3.00</Amt>${details}`)))).toEqual(['patt_1 | booked | 300 EUR | BOOK']);
    expect(await said(booked(one(`${ID}${details}`)))).toEqual(['patt_1 | booked | 400 EUR | BOOK']);
    expect(await said(booked(one(ID)))).toEqual(['patt_1 | booked | 500 EUR | BOOK']);
    expect(await said(booked(one(ID) + one(ID.replace('1', '2'))))).toEqual([
      'patt_1 | booked | ? | BOOK',
      'patt_2 | booked | ? | BOOK',
    ]);
  });

  it.each(['PDNG', 'INFO', ''])('that is not booked (%s) says nothing', async (state) => {
    expect(await said(booked(one(ID), `<CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>${state}</Cd></Sts>`))).toEqual([]);
  });

  describe('without ids of payments', () => {
    const batch = (of: string) => `<NtryDtls><Btch>${of}</Btch></NtryDtls>`;

    it('is about a file, with the number and the sum of its payments', async () => {
      expect(await said(notification(wholeEntry('pexp-1', { cents: 900, count: 3 })))).toEqual([
        'pexp_1 | booked | 900 EUR | × 3 | BOOK',
      ]);
      expect(await said(booked(batch('<MsgId>pexp-1</MsgId><TtlAmt Ccy="EUR">4.50</TtlAmt>')))).toEqual([
        'pexp_1 | booked | 450 EUR | BOOK',
      ]);
    });

    it.each([
      batch('<PmtInfId>pexp-1-1</PmtInfId>'),
      one('<Refs><MsgId>pexp-1</MsgId></Refs>'),
      one('<Refs><PmtInfId>pexp-1-1</PmtInfId></Refs>'),
    ])('finds the file by %s', async (details) => {
      expect(await said(booked(details))).toEqual(['pexp_1 | booked | 500 EUR | BOOK']);
    });

    it('says nothing of payments of others, and of money that came back without saying which', async () => {
      expect(await said(booked(batch('<PmtInfId>pexp-1-2</PmtInfId>')))).toEqual([]);
      expect(await said(booked(one('<Refs><TxId>1</TxId></Refs>')))).toEqual([]);
      const credit = '<Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>';
      expect(await said(booked(batch('<MsgId>pexp-1</MsgId>'), credit))).toEqual([]);
    });

    it('says nothing of the file if it names a payment', async () => {
      const both = `<NtryDtls><Btch><MsgId>pexp-1</MsgId></Btch><TxDtls>${ID}</TxDtls></NtryDtls>`;
      expect(await said(booked(both))).toEqual(['patt_1 | booked | 500 EUR | BOOK']);
    });
  });
});

it.each([
  ['12', 1_200],
  ['12.3', 1_230],
  ['12.34', 1_234],
  ['12.34000', 1_234],
  ['0.05', 5],
  ['9999999999999', 999_999_999_999_900],
  ['12.345', null],
  ['12.340000', null],
  ['99999999999999', null],
  ['-5', null],
  ['5,00', null],
  ['', null],
])('the amount %j is %j cents', async (text, cents) => {
  const [told] = await readReport(booked(one(ID), `<Amt Ccy="EUR">${text}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>`));
  expect(told!.amount).toEqual(cents === null ? null : { amount_cents: cents, currency: 'EUR' });
});

it('an amount without a currency is none', async () => {
  const [told] = await readReport(booked(one(ID), '<Amt>5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>'));
  expect(told!.amount).toBeNull();
});

it.each(['hello', '<Document><Other/></Document>', '<Document><BkToCstmrStmt/></Document>', '<Document>'])(
  '%s is no report',
  async (text) => {
    await expect(readReport(text)).rejects.toBeInstanceOf(UnreadableReport);
  },
);
