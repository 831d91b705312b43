import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { ProviderMode, SourceEvent } from './port.ts';
import { MalformedPspEventError } from './psp-error.ts';
/** Reading the body of a delivery, or a payload that was stored. */
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
