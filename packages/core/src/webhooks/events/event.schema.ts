import { z } from 'zod';
import { ACTOR_KINDS } from '../../platform/db/announcer.ts';
import { oneOrMore } from '../../platform/wire/filters.ts';
import { pageInput } from '../../platform/wire/pagination.ts';
import { id, instant, timestamp } from '../../platform/wire/scalars.ts';
import { EVENT_API_VERSION, EVENT_SUBSCRIPTIONS, EVENT_TYPES } from './event-types.ts';

/** Longest subject id that a filter accepts. Ids of records are shorter. */
const MAX_SUBJECT_ID = 200;

const subjectId = () =>
  z
    .string()
    .describe('ID of the record that the event is about, e.g. of an affiliate or a commission.')
    .meta({ example: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3' });

/** The caller who has caused an event. */
export const EventActor = z
  .object({
    kind: z
      .enum(ACTOR_KINDS)
      .describe(
        '`session`: a member; `affiliate`: an affiliate in the portal; `api_key`, `connector`: a program; `system`: the service, e.g. after a payment.',
      ),
    id: z.string().describe('ID of the user, the affiliate, the API key or the connector; `system` for the service.'),
  })
  .meta({
    id: 'EventActor',
    description: 'The caller who has caused the change.',
    example: { kind: 'api_key', id: 'key_01k9v7m3q8e2t4r6w8y0a1b2c3' },
  });

/** An event without expansions. */
export const EventRecord = z.object({
  id: id('event').describe('ID of the event, identical in every delivery.'),
  type: z.enum(EVENT_TYPES),
  api_version: z.literal(EVENT_API_VERSION).describe('Version of the contract that `data` follows.'),
  sequence: sequence(),
  occurred_at: instant(),
  actor: EventActor.describe('The caller who has caused the change.'),
  subject_id: subjectId(),
  test: z.boolean().describe('`true` if this is the made-up event of a test delivery.'),
  data: z
    .record(z.string(), z.unknown())
    .describe('The record as it was when the event occurred, as posted to webhook endpoints.')
    .meta({ example: { id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3', email: 'ada@example.com', state: 'active' } }),
  previous_attributes: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The former values of the fields that have changed; `null` if nothing has changed, e.g. for a new record.')
    .meta({ example: { state: 'pending' } }),
});
export type EventRecord = z.infer<typeof EventRecord>;

/** Position of an event. */
function sequence() {
  return z
    .int()
    .min(0)
    .describe(
      'Position among the events of the account: 1, 2, 3, and so on. A later event never gets a lower number, even if changes happen at the same time. 0 for test events.',
    )
    .meta({ example: 4711 });
}

export const EventId = z.strictObject({ id: id('event') });

export const ListEvents = z.strictObject({
  ...pageInput,
  type: oneOrMore(EVENT_SUBSCRIPTIONS).describe('Filters by type. `commission.*` stands for all types about commissions.'),
  subject_id: subjectId().max(MAX_SUBJECT_ID).optional(),
  after_sequence: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Returns events with a higher `sequence`, in the order of their sequence. To follow the events without losing one, repeat the request with the `sequence` of the last event that you have read.',
    )
    .meta({ example: 4711 }),
  occurred_since: timestamp().optional().describe('Returns events that occurred at or after this time.'),
  occurred_until: timestamp().optional().describe('Returns events that occurred at or before this time.'),
});
export type ListEvents = z.infer<typeof ListEvents>;
