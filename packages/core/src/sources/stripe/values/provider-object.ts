/**
 * Schemas of values in the provider's objects. The schemas of objects list only the fields in use, and accept a field in the form of every
 * API version: calls use the SDK's version, but an event has the version of the merchant's endpoint.
 *
 * A signature proves who sent an event, not that its content makes sense: anyone who holds the secret can sign anything. Values that cannot
 * be stored or calculated with are refused.
 */
import { z } from 'zod';
import { EARLIEST, LATEST, MAX_CENTS } from '../../../platform/wire/scalars.ts';
import { trimEnds, typedEmail, withoutControls } from '../../../platform/wire/typed-text.ts';
import type { ProviderMode } from '../../port/port.ts';
import type { PaymentReference } from './provider-event.ts';

/** Text that identifies something. Invalid text is refused instead of repaired, because a repair could make two different names equal. */
export const name = z
  .string()
  .min(1)
  .max(255)
  .refine((value) => !value.includes('\0') && value.isWellFormed());

/**
 * A reference to another object: its id, or the object itself where the provider expanded it. Null means that there is no such object;
 * undefined means that this API version does not contain the reference.
 */
export const nullableReference = z.union([name, z.object({ id: name }).transform((object) => object.id)]).nullish();

/** A reference for which null and undefined mean the same. */
export const reference = nullableReference.transform((id) => id ?? null);

/** Optional text, without control characters and others that PostgreSQL cannot store. The empty string counts as absent. */
export const text = z
  .string()
  .nullish()
  .transform((value) => (value && withoutControls(value).toWellFormed().slice(0, 1_000)) || null);

/** Optional text without blanks around it, as a person may paste it. Text of blanks counts as absent. */
export const trimmedText = text.transform((value) => (value && trimEnds(value)) || null);

/** An optional name of something at the merchant, without blanks around it. Text that is too long for a name counts as absent. */
export const identifier = trimmedText.transform((value) => (value !== null && value.length <= 255 ? value : null));

/** An optional email address, in the form of `typedEmail`. Text that is too long for an address counts as absent. */
export const email = trimmedText.transform((value) => (value !== null && value.length <= 254 ? typedEmail(value) : null));

/** Seconds since the epoch. */
export const timestamp = z
  .number()
  .min(EARLIEST / 1000)
  .lt(LATEST / 1000)
  .transform((seconds) => new Date(seconds * 1000));

export const optionalTimestamp = timestamp.nullish().transform((date) => date ?? null);

/** An ISO 4217 code, in upper case. */
export const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/)
  .transform((code) => code.toUpperCase());

export const optionalCurrency = currency.nullish().transform((code) => code ?? null);

/** The mode of an object, from its field `livemode`. */
export const mode = z.boolean().transform((livemode): ProviderMode => (livemode ? 'live' : 'test'));

export const amount = z.int().min(0).max(MAX_CENTS);

/** An amount that may be negative: totals and taxes that include credit. */
export const signedAmount = z.int().min(-MAX_CENTS).max(MAX_CENTS);

export const optionalAmount = amount.nullish().transform((value) => value ?? null);

export function paymentReference(known: Partial<PaymentReference>): PaymentReference {
  return {
    chargeId: known.chargeId ?? null,
    paymentIntentId: known.paymentIntentId ?? null,
    invoiceId: known.invoiceId ?? null,
  };
}

/** The shipping in a checkout or an invoice. */
export const shippingCost = z.object({ amount_total: optionalAmount, amount_tax: optionalAmount }).nullish();
