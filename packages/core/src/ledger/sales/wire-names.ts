/** The names of a payment as the API shows them: the ids that Stripe gave it, each in a field of its kind. */
import { type RawBuilder, sql } from 'kysely';
import { type JsonText, jsonString } from '../../platform/db/json-text.ts';
import { nameOfId, NAMES } from '../../sources/stripe/values/names.ts';
import type { Sale } from './sale.entity.ts';

/** The names of a payment, as a sale has them. */
export type SaleNames = Pick<Sale, 'names' | 'name_of_group'>;

export interface WireNames {
  psp_charge_id: string | null;
  psp_invoice_id: string | null;
  psp_payment_intent_id: string | null;
}

/** The columns from which the fields are computed. */
export const NAME_COLUMNS = ['names', 'name_of_group'] as const;

const PREFIXES = { psp_charge_id: NAMES.charge(''), psp_payment_intent_id: NAMES.paymentIntent('') };
const PREFIX_OF_GROUP = NAMES.invoice('');

/** Returns the fields of a sale with these names. */
export function wireNames({ names, name_of_group: group }: SaleNames): WireNames {
  const idOf = (prefix: string) => names.find((name) => name.startsWith(prefix))?.slice(prefix.length) ?? null;
  return {
    psp_charge_id: idOf(PREFIXES.psp_charge_id),
    psp_invoice_id: group?.startsWith(PREFIX_OF_GROUP) ? group.slice(PREFIX_OF_GROUP.length) : null,
    psp_payment_intent_id: idOf(PREFIXES.psp_payment_intent_id),
  };
}

/** Returns the names in a report. Empty texts name nothing. */
export function namesInReport(report: { [Field in keyof WireNames]?: string | null | undefined }): {
  names: string[];
  group: string | null;
} {
  const { psp_charge_id: charge, psp_payment_intent_id: intent, psp_invoice_id: invoice } = report;
  return {
    names: [...(charge ? [NAMES.charge(charge)] : []), ...(intent ? [NAMES.paymentIntent(intent)] : [])],
    group: invoice ? NAMES.invoice(invoice) : null,
  };
}

/** Returns the names of a payment that another tool names by an id of Stripe, whatever object the id is of. Other ids name nothing. */
export function paymentNames(id: string | null | undefined): SaleNames {
  const found = id ? nameOfId(id) : null;
  if (found === null) return { names: [], name_of_group: null };
  return found.isOfGroup ? { names: [], name_of_group: found.name } : { names: [found.name], name_of_group: null };
}

/** SQL: the fields of the rows aliased `record`, as JSON texts. */
export const WIRE_NAMES_JSON: Readonly<Record<keyof WireNames, JsonText>> = {
  psp_charge_id: jsonString(idOfName(PREFIXES.psp_charge_id)),
  psp_invoice_id: jsonString(sql`substring(record.name_of_group from ${sql.lit(`^${PREFIX_OF_GROUP}(.*)$`)})`),
  psp_payment_intent_id: jsonString(idOfName(PREFIXES.psp_payment_intent_id)),
};

function idOfName(prefix: string): RawBuilder<string | null> {
  return sql`(
    select substr(name, ${sql.lit(prefix.length + 1)}) from unnest(record.names) name
    where starts_with(name, ${sql.lit(prefix)}) limit 1)`;
}

/** SQL: the ids of the sales of an account with this id of Stripe, as an array, so that a condition on the id of a sale can use its index. */
export function salesNamed(accountId: string, id: string): RawBuilder<unknown> {
  const names = [NAMES.charge(id), NAMES.paymentIntent(id), NAMES.invoice(id)];
  return sql`array(select sale_id from payment_name where account_id = ${accountId} and name = any (${names}::text[]))`;
}

/** SQL: the ids of the sales of an account whose payments paid an invoice, as an array. */
export function salesOfInvoice(accountId: string, invoiceId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array(
    select sale_id from payment_name
    where account_id = ${accountId} and name = ${sql.lit(PREFIX_OF_GROUP)} || ${invoiceId} and of_group)`;
}

/** SQL: the id of the invoice of a row of `sale`, or null. */
export const INVOICE_OF_SALE = sql<string | null>`substring(sale.name_of_group from ${sql.lit(`^${PREFIX_OF_GROUP}(.*)$`)})`;
