import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BANK_SEPA } from '../../../packages/core/src/payouts/methods/bank_sepa/bank-sepa.ts';
import type { FileContent } from '../../../packages/core/src/payouts/port/method.ts';
import { fileItems } from './file-items.ts';
import { problemsOfPain001 } from './xsd.ts';

const NAMES = [
  'Ada Lovelace',
  'Jürgen Groß',
  'Zażółć Gęślą',
  'Γιώργος',
  'Иван Петров',
  '李雷 Lei',
  '<&>"\'',
  `${'Ü'.repeat(60)}x`,
];
const IBANS = ['DE75512108001245126199', 'FR1420041010050500013M02606', 'NL91ABNA0417164300', 'SE4550000000058398257466'];

function content(count: number): FileContent {
  const items = fileItems(count, {
    currency: 'EUR',
    mostCents: 99_999_999_999,
    addressesOf: (at) => ({
      bank_sepa: {
        account_holder: NAMES[at % NAMES.length]!,
        iban: IBANS[at % IBANS.length]!,
        ...(at % 3 === 0 ? { bic: 'COBADEFF' } : {}),
        ...(at % 5 === 0 ? { street: 'Straße des 17. Juni', postcode: '10623', town: 'Köln-Mülheim', country: 'DE' } : {}),
      },
    }),
  });
  const payer = { account_holder: 'Gebrüder Weiß GmbH', iban: 'DE89370400440532013000' };
  return { id: 'pexp_01k9v7m3q8e2t4r6w8y0a1b2c3', created_at: '2026-11-28T23:30:00.000Z', daily_number: 0, payer, items };
}

describe('a credit transfer of SEPA', () => {
  it('has the form of the scheme, whatever names it has, and the sum of its 1,000 payments', async () => {
    const made = content(1_000);
    const file = await BANK_SEPA.file!.render(made);
    expect(await problemsOfPain001(file)).toEqual([]);
    const cents = [...file.matchAll(/<InstdAmt Ccy="EUR">(\d+)\.(\d\d)</g)].map(([, whole, part]) => BigInt(`${whole}${part}`));
    const [, sum] = /<CtrlSum>([\d.]+)</.exec(file)!;
    expect(cents.map(Number)).toEqual(made.items.map(({ amount_cents }) => amount_cents));
    expect(BigInt(sum!.replace('.', ''))).toBe(cents.reduce((total, each) => total + each, 0n));
    expect(file).toMatch(/^[\u0020-\u007E\n]*$/);
  });

  it('has the same bytes for the same payments', async () => {
    const hash = createHash('sha256').update(await BANK_SEPA.file!.render(content(1_000)));
    expect(hash.digest('hex')).toBe('be69d19c648a26d5b40f12f1120baa0daeba4519d4361532d856c8496e0e95e4');
  });

  it('has exactly the expected bytes', async () => {
    expect(await BANK_SEPA.file!.render(content(1))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>pexp-01k9v7m3q8e2t4r6w8y0a1b2c3</MsgId><CreDtTm>2026-11-28T23:30:00.000Z</CreDtTm><NbOfTxs>1</NbOfTxs><CtrlSum>0.01</CtrlSum><InitgPty><Nm>Gebrueder Weiss GmbH</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>pexp-01k9v7m3q8e2t4r6w8y0a1b2c3-1</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>true</BtchBookg><NbOfTxs>1</NbOfTxs><CtrlSum>0.01</CtrlSum>
<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><ReqdExctnDt><Dt>2026-11-30</Dt></ReqdExctnDt>
<Dbtr><Nm>Gebrueder Weiss GmbH</Nm></Dbtr><DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>
<CdtTrfTxInf><PmtId><EndToEndId>patt-00000000000000000000000000</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">0.01</InstdAmt></Amt><CdtrAgt><FinInstnId><BICFI>COBADEFF</BICFI></FinInstnId></CdtrAgt><Cdtr><Nm>Ada Lovelace</Nm><PstlAdr><StrtNm>Strasse des 17. Juni</StrtNm><PstCd>10623</PstCd><TwnNm>Koeln-Muelheim</TwnNm><Ctry>DE</Ctry></PstlAdr></Cdtr><CdtrAcct><Id><IBAN>DE75512108001245126199</IBAN></Id></CdtrAcct><RmtInf><Ustrd>Affiliate payout payout-00000000000000000000000000</Ustrd></RmtInf></CdtTrfTxInf>
</PmtInf></CstmrCdtTrfInitn></Document>
`);
  });
});
