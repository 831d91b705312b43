import { expect, it } from 'vitest';
import { EVENT_CATALOG } from './event-catalog.ts';
import { EVENT_TYPES } from './webhooks/events/event-types.ts';
import { sampleEventData } from './webhooks/events/wire-samples.ts';

it.each(EVENT_TYPES)('the sample data of %s have every field that the catalog describes', (type) => {
  const data = sampleEventData(type, '2026-11-20T12:00:00.000Z');
  expect(EVENT_CATALOG[type].parse(data)).toEqual(data);
  expect(Object.keys(data).toSorted()).toEqual(Object.keys(EVENT_CATALOG[type].shape).toSorted());
});
