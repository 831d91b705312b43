/**
 * Reading the body of a delivery, or a payload that was stored, and the values in objects of providers. Values that cannot be stored or calculated with
 * are refused.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { minorUnitDigits, proportionOf } from '../../platform/money/money.ts';
import { readIso8601 } from '../../platform/time/iso-8601.ts';
import { MAX_CENTS } from '../../platform/wire/scalars.ts';
import { withoutControls } from '../../platform/wire/typed-text.ts';
import type { ProviderMode, SourceEvent } from './port.ts';
import { MalformedPspEventError } from './psp-error.ts';
import { IGNORED } from './reasons.ts';

/** Reads a message of the form that a provider gives all its messages. Throws `MalformedPspEventError`. */
export function parseMessage<Schema extends z.ZodType>(provider: string, schema: Schema, body: string): z.infer<Schema> {
  const { success, data } = schema.safeParse(parsed(body));
  if (!success) throw new MalformedPspEventError(`The body is not an event of ${provider}`);
  return data;
}

/** A message of which the entity has not been read yet. */
interface Told {
  id: string;
  type: string;
  at: string;
  mode: ProviderMode;
  payload: Record<string, unknown>;
}

/**
 * Returns the event of a message.
 *
 * @param types the types that may contain something of use
 * @param nothing the adapter's own fields of an event of another type
 * @param entity returns the fields that the entity of the message fills; null if it could not be read
 */
export function eventOf<Event extends SourceEvent>(
  { at, ...told }: Told,
  types: readonly string[],
  nothing: Omit<Event, keyof SourceEvent>,
  entity: () => Partial<Event> | null,
): Event {
  const isUnused = !types.includes(told.type);
  const event = { ...told, occurredAt: new Date(at), isUnused, problem: null, payer: null, ...nothing } as SourceEvent as Event;
  if (isUnused) return event;
  return { ...event, ...(entity() ?? { problem: IGNORED.object_unreadable }) };
}

/** Returns the id of an event whose provider gives it none, or only in a header. The same content has the same id. */
function idOfContent(content: unknown): string {
  return `evt_${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32)}`;
}

/** Returns the named fields of a message. The others, e.g. addresses of the buyer, are not stored, because the object is read again. */
export function onlyFields(message: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(message).filter(([name]) => names.includes(name)));
}

/** Returns a message with the id of its event, so that the stored payload names the event. */
export function withEventId<Message extends object>(message: Message, content: unknown) {
  const { affiliate_event_id: known } = message as { affiliate_event_id?: unknown };
  return { ...message, affiliate_event_id: typeof known === 'string' ? known : idOfContent(content) };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

const MAX_LENGTH = 255;

/** Text that identifies something. Invalid text is refused instead of repaired, because a repair could make two different names equal. */
export const id = z
  .string()
  .min(1)
  .max(MAX_LENGTH)
  .refine((value) => value.isWellFormed() && withoutControls(value) === value);
export const optionalId = id.nullish().transform((value) => value ?? null);

/** Optional text, without characters that cannot be stored. The empty string counts as absent. */
export const text = z
  .string()
  .nullish()
  .transform((value) => (value ? withoutControls(value).toWellFormed().slice(0, MAX_LENGTH) || null : null));

/** An ISO 8601 time, as an instant. */
export const time = z
  .string()
  .refine((value) => readIso8601(value) !== null)
  .transform((value) => new Date(value).toISOString());
export const optionalTime = time.nullish().transform((value) => value ?? null);

/** An integer in the smallest unit of the provider, which may be negative. */
export const amount = z.int().min(-MAX_CENTS).max(MAX_CENTS);

/** The same as text. */
export const amountText = z
  .string()
  .regex(/^-?\d{1,12}$/)
  .transform(Number)
  .pipe(amount);

/** A decimal number of the currency's unit, as text. */
export const decimal = z.string().regex(/^-?\d{1,10}(\.\d{1,5})?$/);

/** An ISO 4217 code, in upper case. */
export const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/)
  .transform((code) => code.toUpperCase());

/** Converts an amount in a provider's smallest unit, of which the currency has `digits` decimals there, to the ISO 4217 minor unit. */
export function toMinorUnits(amount: number, currency: string, digits: number): number {
  const more = minorUnitDigits(currency) - digits;
  return more < 0 ? proportionOf(amount, 1, 10 ** -more) : amount * 10 ** more;
}

/** Converts a decimal text of the currency's unit, which may have more decimals than the currency, to the ISO 4217 minor unit. */
export function decimalMinorUnits(text: string, currency: string): number {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const size = toMinorUnits(Number(whole + fraction), currency, fraction.length);
  return sign === '-' && size !== 0 ? -size : size;
}
