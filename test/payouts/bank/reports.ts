/** Reports as banks make them, in several of their versions. */

export interface Told {
  /** `EndToEndId` of the payment. */
  id: string;
  cents: number;
  code?: string;
}

const decimal = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Returns the id of a record as files have it. */
export function inFile(id: unknown): string {
  return String(id).replace('_', '-');
}

/** A status of a file (pain.002), with the state of the file and those of its payments that were rejected. */
export function statusOf(
  file: string,
  { state = 'PART', code }: { state?: string; code?: string },
  rejected: readonly Told[] = [],
): string {
  const reason = (word: string | undefined) =>
    word === undefined ? '' : `<StsRsnInf><Rsn><Cd>${word}</Cd></Rsn><AddtlInf>DE75512108001245126199</AddtlInf></StsRsnInf>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- made by a bank -->
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><GrpHdr><MsgId>BANK1</MsgId><CreDtTm>2026-11-29T10:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${file}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><GrpSts>${state}</GrpSts>${reason(code)}</OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>${file}-1</OrgnlPmtInfId>${rejected
    .map(
      (each) =>
        `<TxInfAndSts><OrgnlEndToEndId>${each.id}</OrgnlEndToEndId><TxSts>RJCT</TxSts>${reason(each.code)}<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">${decimal(each.cents)}</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts>`,
    )
    .join('')}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;
}

function transaction({ id, cents, code }: Told, direction: 'DBIT' | 'CRDT'): string {
  const returned = direction === 'CRDT' ? `<RtrInf><Rsn><Cd>${code ?? 'MS03'}</Cd></Rsn></RtrInf>` : '';
  return `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs><Amt Ccy="EUR">${decimal(cents)}</Amt><CdtDbtInd>${direction}</CdtDbtInd>${returned}</TxDtls>`;
}

/** An entry of an account with its payments. */
export function entry(told: readonly Told[], direction: 'DBIT' | 'CRDT' = 'DBIT', state = '<Sts><Cd>BOOK</Cd></Sts>'): string {
  const sum = told.reduce((total, { cents }) => total + cents, 0);
  return `<Ntry><Amt Ccy="EUR">${decimal(sum)}</Amt><CdtDbtInd>${direction}</CdtDbtInd>${state}<BookgDt><Dt>2026-11-30</Dt></BookgDt><NtryDtls>${told.map((each) => transaction(each, direction)).join('')}</NtryDtls></Ntry>`;
}

/** An entry of a whole file, which names no payment. */
export function wholeEntry(file: string, { cents, count }: { cents: number; count: number }): string {
  return `<Ntry><Amt Ccy="EUR">${decimal(cents)}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><NtryDtls><Btch><MsgId>${file}</MsgId><PmtInfId>${file}-1</PmtInfId><NbOfTxs>${count}</NbOfTxs></Btch></NtryDtls></Ntry>`;
}

/** A statement of an account (camt.053), with a prefix as some banks write it. */
export function statement(...entries: string[]): string {
  const plain = `<BkToCstmrStmt><GrpHdr><MsgId>S1</MsgId></GrpHdr><Stmt><Id>1</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>${entries.join('')}</Stmt></BkToCstmrStmt>`;
  const prefixed = plain.replaceAll(/<(\/?)([A-Z])/g, '<$1ns2:$2');
  return `<?xml version="1.0" encoding="UTF-8"?><ns2:Document xmlns:ns2="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">${prefixed}</ns2:Document>`;
}

/** A notification about an account (camt.054). */
export function notification(...entries: string[]): string {
  return `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.02"><BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>N1</MsgId></GrpHdr><Ntfctn><Id>1</Id>${entries.join('')}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;
}
