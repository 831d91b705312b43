import { z } from 'zod';
import { EARLIEST, LATEST, MAX_CENTS } from '../../../platform/wire/scalars.ts';

/**
 * The provider's objects as this service reads them. Only the fields in use are named, and each in every shape that an API
 * version gives it: calls are made with the SDK's version, but an event is written in the version of the merchant's endpoint.
 *
 * A signature says who sent an event, not that it makes sense: whoever holds the secret can sign anything. What could not be stored or
 * counted with is no such object.
 */

/** Text by which things are told apart and found: never repaired, as two of them could become one. */
export const name = z
  .string()
  .min(1)
  .max(255)
  .refine((value) => !value.includes('\0') && value.isWellFormed());

/**
 * A reference to another object: its id, or the object itself where the provider expanded it. Null says that there is none;
 * undefined, that this API version does not tell.
 */
export const toldReference = z.union([name, z.object({ id: name }).transform((object) => object.id)]).nullish();

/** A reference where it makes no difference whether there is none or it is not told. */
export const reference = toldReference.transform((id) => id ?? null);

/** Text that may be absent, freed of what PostgreSQL cannot store; the empty string counts as absent. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value?.replaceAll('\0', '').toWellFormed().slice(0, 1_000) || null);

/** An e-mail address that may be absent; what is too long to be one counts as absent. */
export const email = text.transform((value) => (value !== null && value.length <= 254 ? value : null));

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

export const amount = z.int().min(0).max(MAX_CENTS);

/** What may lie below zero: totals and taxes with credit in them. */
export const signedAmount = z.int().min(-MAX_CENTS).max(MAX_CENTS);

export const optionalAmount = amount.nullish().transform((value) => value ?? null);
