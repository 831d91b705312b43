import { deepStrictEqual } from 'node:assert/strict';
import type { Request } from './load.ts';
import type { Row } from './rows.ts';
import type { Server } from './servers.ts';

/** Servers that are measured. */
export interface Servers extends Record<'service' | 'limit', Server> {
  /** Server of another version of the service. */
  former?: Server | undefined;
}

/** Throws if the servers answer a request of this row with different JSON. Ids and times of new records may differ. */
export async function assertSameReplies(row: Row, { service, limit }: Servers): Promise<void> {
  const actual = await reply(service, row.service());
  if (row.limitOmits) for (const field of row.limitOmits) delete (actual.body as Record<string, unknown>)[field];
  const normal = row.isWrite ? anonymous : (value: unknown) => value;
  const expected = await reply(limit, row.limit());
  deepStrictEqual(normal(expected), normal(actual), `${row.name}: the limit server answers differently`);
}

async function reply({ origin }: Server, { path, ...request }: Request) {
  const response = await fetch(`${origin}${path}`, { ...request, redirect: 'manual' });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    location: response.headers.get('location'),
    body: isJson ? (JSON.parse(text) as unknown) : null,
  };
}

/** Replaces values, such as ids and times, that differ between two records created by the same request. */
function anonymous(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/_[0-9a-hjkmnp-tv-z]{26}/g, '_ID')
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"TIME"')
    .replaceAll(/bench-\d+/g, 'bench-N');
  return JSON.parse(text) as unknown;
}
