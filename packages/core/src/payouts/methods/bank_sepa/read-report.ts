import { child, children, childText, type XmlNode, xmlParser } from '../../../platform/wire/xml.ts';
import { type BankStatement, type Outcome, UnreadableReport } from '../../port/method.ts';
import { reasonOf } from './reasons.ts';

/**
 * Reads a report of a bank: a status of a file (pain.002), a statement of an account (camt.053) or a notification about it (camt.054), in any version.
 * Entries that are not booked yet, and what is not about payments of files, say nothing.
 */
export async function readReport(report: string): Promise<BankStatement[]> {
  const document = child(await parsed(report), 'Document');
  const status = child(document, 'CstmrPmtStsRpt');
  if (status !== undefined) return statusStatements(status);
  const accounts = [
    ...children(child(document, 'BkToCstmrStmt'), 'Stmt'),
    ...children(child(document, 'BkToCstmrDbtCdtNtfctn'), 'Ntfctn'),
  ];
  if (accounts.length === 0) throw new UnreadableReport();
  return accounts.flatMap((account) => children(account, 'Ntry').flatMap(entryStatements));
}

/** Parses XML. Refuses documents that are cut off, and those that declare entities. */
async function parsed(report: string): Promise<XmlNode> {
  const document = (await xmlParser())(report);
  if (document === null) throw new UnreadableReport();
  return document;
}

const OUTCOMES = new Map<string | undefined, Outcome>([
  ['RJCT', 'rejected'],
  ['ACSC', 'booked'],
  ['ACCC', 'booked'],
]);

function statusStatements(status: XmlNode): BankStatement[] {
  const group = child(status, 'OrgnlGrpInfAndSts');
  const exportId = childText(group, 'OrgnlMsgId');
  const whole = (node: XmlNode | undefined, name: string): BankStatement[] => {
    const [raw_state, outcome] = outcomeIn(node, name);
    if (outcome === undefined || exportId === undefined) return [];
    return [
      { of: { export_id: idOf(exportId) }, outcome, amount: null, count: null, reason: reasonIn(node, outcome), raw_state },
    ];
  };
  const blocks = children(status, 'OrgnlPmtInfAndSts');
  const payments = blocks.flatMap((block) => children(block, 'TxInfAndSts'));
  return [
    ...whole(group, 'GrpSts'),
    ...blocks.flatMap((block) => whole(block, 'PmtInfSts')),
    ...payments.flatMap((payment): BankStatement[] => {
      const [raw_state, outcome] = outcomeIn(payment, 'TxSts');
      const id = childText(payment, 'OrgnlEndToEndId');
      if (outcome === undefined || id === undefined) return [];
      const amount = amountOf(child(child(child(payment, 'OrgnlTxRef'), 'Amt'), 'InstdAmt'));
      return [{ of: { attempt_id: idOf(id) }, outcome, amount, count: null, reason: reasonIn(payment, outcome), raw_state }];
    }),
  ];
}

function outcomeIn(node: XmlNode | undefined, name: string): [raw_state: string, Outcome | undefined] {
  const state = childText(node, name);
  return [state ?? '', OUTCOMES.get(state)];
}

function reasonIn(node: XmlNode | undefined, outcome: Outcome): string | null {
  if (outcome === 'booked') return null;
  const [information] = children(node, 'StsRsnInf');
  return reasonOf(codeOf(child(information, 'Rsn')));
}

function entryStatements(entry: XmlNode): BankStatement[] {
  const state = childText(entry, 'Sts') ?? childText(child(entry, 'Sts'), 'Cd');
  if (state !== 'BOOK') return [];
  const details = children(entry, 'NtryDtls');
  const payments = details.flatMap((each) => children(each, 'TxDtls'));
  const named = payments.flatMap((payment): BankStatement[] => {
    const id = childText(child(payment, 'Refs'), 'EndToEndId');
    if (id === undefined) return [];
    const outcome = outcomeOfEntry(entry, payment);
    const amount = amountOf(child(payment, 'Amt') ?? child(child(child(payment, 'AmtDtls'), 'TxAmt'), 'Amt'));
    // An entry of one payment has its amount.
    const only = amount ?? (payments.length === 1 ? amountOf(child(entry, 'Amt')) : null);
    return [statementOf({ attempt_id: idOf(id) }, outcome, { amount: only, count: null, payment })];
  });
  if (named.length > 0) return named;
  return details.flatMap((each): BankStatement[] => {
    const refs = child(child(each, 'TxDtls'), 'Refs');
    const id =
      childText(child(each, 'Btch'), 'MsgId') ??
      childText(refs, 'MsgId') ??
      exportOf(childText(child(each, 'Btch'), 'PmtInfId') ?? childText(refs, 'PmtInfId'));
    const outcome = outcomeOfEntry(entry, undefined);
    // Only a debit is about a file: a credit of several payments that came back names none of them.
    if (id === undefined || outcome !== 'booked') return [];
    const count = childText(child(each, 'Btch'), 'NbOfTxs');
    const amount = amountOf(child(child(each, 'Btch'), 'TtlAmt') ?? child(entry, 'Amt'));
    return [
      statementOf({ export_id: idOf(id) }, outcome, {
        amount,
        count: count === undefined ? null : Number(count),
        payment: undefined,
      }),
    ];
  });
}

/** Money that leaves the account is a payment. Money that arrives, and the reversal of a payment, is a payment that came back. */
function outcomeOfEntry(entry: XmlNode, payment: XmlNode | undefined): Outcome {
  const direction = childText(payment, 'CdtDbtInd') ?? childText(entry, 'CdtDbtInd');
  return direction === 'DBIT' && childText(entry, 'RvslInd') !== 'true' ? 'booked' : 'returned';
}

function statementOf(
  of: BankStatement['of'],
  outcome: Outcome,
  { amount, count, payment }: Pick<BankStatement, 'amount' | 'count'> & { payment: XmlNode | undefined },
): BankStatement {
  const code = codeOf(child(child(payment, 'RtrInf'), 'Rsn'));
  return { of, outcome, amount, count, reason: outcome === 'booked' ? null : reasonOf(code), raw_state: code ?? 'BOOK' };
}

function codeOf(reason: XmlNode | undefined): string | undefined {
  const code = childText(reason, 'Cd') ?? childText(reason, 'Prtry');
  // Words of a bank are not taken over, because they may contain account numbers.
  return code !== undefined && /^[A-Z]{2,4}[0-9]{0,3}$/.test(code) ? code : undefined;
}

/** Returns the amount of an element, whose attribute is the currency. */
function amountOf(node: XmlNode | undefined): BankStatement['amount'] {
  const currency = childText(node, '@Ccy');
  const [, whole, part = ''] = /^(\d{1,13})(?:\.(\d{1,5}))?$/.exec(childText(node, '#text') ?? '') ?? [];
  if (currency === undefined || whole === undefined || !/^0*$/.test(part.slice(2))) return null;
  return { amount_cents: Number(whole) * 100 + Number(part.slice(0, 2).padEnd(2, '0')), currency };
}

/** Returns our id for an id in a file. */
function idOf(id: string): string {
  return id.replace('-', '_');
}

/** Returns the id of the export for that of its block of payments. */
function exportOf(block: string | undefined): string | undefined {
  return block?.endsWith('-1') ? block.slice(0, -2) : undefined;
}
