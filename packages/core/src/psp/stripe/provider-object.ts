import { z } from 'zod';

/**
 * The provider's objects as this service reads them. Only the fields in use are named, and each in every shape that an API
 * version gives it: calls are made with the SDK's version, but an event is written in the version of the merchant's endpoint.
 */

/**
 * A reference to another object: its id, or the object itself where the provider expanded it. Null says that there is none;
 * undefined, that this API version does not tell.
 */
export const toldReference = z.union([z.string(), z.object({ id: z.string() }).transform((object) => object.id)]).nullish();

/** A reference where it makes no difference whether there is none or it is not told. */
export const reference = toldReference.transform((id) => id ?? null);

/** Text that may be absent, freed of what PostgreSQL cannot store; the empty string counts as absent. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value?.replaceAll('\0', '').toWellFormed() || null);

/** Seconds since the epoch. */
export const timestamp = z.number().transform((seconds) => new Date(seconds * 1000));

export const optionalTimestamp = timestamp.nullish().transform((date) => date ?? null);

/** An ISO 4217 code, in upper case. */
export const currency = z.string().transform((code) => code.toUpperCase());

export const optionalCurrency = currency.nullish().transform((code) => code ?? null);

export const amount = z.int();

export const optionalAmount = amount.nullish().transform((value) => value ?? null);
