import { mapInParts } from '@affiliate/postgres';
import { decimalAmount } from '../../../platform/money/money.ts';
import { bankText, bankingDay } from '../../port/bank-files.ts';
import { type FileContent, type FileItem, nameOf, noteOf } from '../../port/method.ts';

/** Lengths of the scheme: of a name or a street, a town, a number, and of the text for the receiver. */
const NAME = 70;
const TOWN = 35;
const NUMBER = 16;
const REMITTANCE = 140;

/** Returns the id of a record as files have it: banks do not take underscores. Ids have fewer than 35 characters. */
function idInFile(id: string): string {
  return id.replaceAll('_', '-');
}

/**
 * Renders a credit transfer of SEPA (ISO 20022, pain.001.001.09, in the European Payments Council's version of 2023). All payments are in euros and on one
 * day, so that the file has one block of payments, which the bank books as one amount. `EndToEndId` is the id of the attempt.
 */
export async function renderPain001(kind: string, { id, created_at, payer, items }: FileContent): Promise<string> {
  const { account_holder = '', iban = '', bic } = payer!;
  const messageId = idInFile(id);
  const sum = decimalAmount(
    items.reduce((total, { amount_cents }) => total + amount_cents, 0),
    'EUR',
  );
  const totals = tag('NbOfTxs', String(items.length)) + tag('CtrlSum', sum);
  const debtor = tag('Nm', bankText(account_holder, NAME));
  const agent = bic ? tag('BICFI', bic) : tag('Othr', tag('Id', 'NOTPROVIDED'));
  const head = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>',
    tag('GrpHdr', tag('MsgId', messageId) + tag('CreDtTm', created_at) + totals + tag('InitgPty', debtor)),
    `<PmtInf>${tag('PmtInfId', `${messageId}-1`)}${tag('PmtMtd', 'TRF')}${tag('BtchBookg', 'true')}${totals}`,
    tag('PmtTpInf', tag('SvcLvl', tag('Cd', 'SEPA'))) + tag('ReqdExctnDt', tag('Dt', bankingDay(created_at))),
    tag('Dbtr', debtor) + tag('DbtrAcct', accountOf(iban)) + tag('DbtrAgt', tag('FinInstnId', agent)) + tag('ChrgBr', 'SLEV'),
  ];
  const payments = await mapInParts(items, (item) => paymentOf(kind, item));
  return `${[...head, ...payments, '</PmtInf></CstmrCdtTrfInitn></Document>'].join('\n')}\n`;
}

function paymentOf(kind: string, item: FileItem): string {
  const { account_holder = nameOf(item), iban = '', bic, street, building, postcode, town, country } = item.addresses[kind]!;
  const address =
    optional('StrtNm', street, NAME) +
    optional('BldgNb', building, NUMBER) +
    optional('PstCd', postcode, NUMBER) +
    optional('TwnNm', town, TOWN) +
    optional('Ctry', country, NAME);
  return tag(
    'CdtTrfTxInf',
    tag('PmtId', tag('EndToEndId', idInFile(item.attempt_id))) +
      `<Amt><InstdAmt Ccy="EUR">${decimalAmount(item.amount_cents, item.currency)}</InstdAmt></Amt>` +
      (bic ? tag('CdtrAgt', tag('FinInstnId', tag('BICFI', bankText(bic, NAME)))) : '') +
      tag('Cdtr', tag('Nm', bankText(account_holder, NAME)) + (address === '' ? '' : tag('PstlAdr', address))) +
      tag('CdtrAcct', accountOf(iban)) +
      tag('RmtInf', tag('Ustrd', bankText(noteOf(item), REMITTANCE))),
  );
}

function accountOf(iban: string): string {
  return tag('Id', tag('IBAN', bankText(iban, NAME)));
}

/** Returns an element. Texts are in the characters of SEPA, none of which has a meaning in XML. */
function tag(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

function optional(name: string, text: string | undefined, maxLength: number): string {
  return text === undefined ? '' : tag(name, bankText(text, maxLength));
}
