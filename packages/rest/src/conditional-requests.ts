import { hash } from 'node:crypto';
import { EXTERNAL, type Precondition, invalid, scalars, tableOfKind, versionOf, untranslated } from '@affiliate/core';
import type { Request } from 'express';
import type { z } from 'zod';
import { ROUTES, type Route } from './routes.ts';

/** A single record that can be retrieved by the id in its path. */
interface RecordRoute {
  /** Name of the path parameter. */
  parameter: string;
  table: string;
  /** Columns that make up the version of the record. */
  columns: readonly string[];
  /** The route that retrieves the record. */
  read: Route;
}

const records = new Map<Route, RecordRoute | null>();

/** Returns the record that a route retrieves, changes or acts on, or null if its path names no record that can be retrieved. */
function recordOf(route: Route): RecordRoute | null {
  let record = records.get(route);
  if (record === undefined) records.set(route, (record = findRecord(route)));
  return record;
}

function findRecord(route: Route): RecordRoute | null {
  const [collection, name] = route.segments;
  if (route.isOpen || !collection || !('literal' in collection) || !name || !('parameter' in name)) return null;
  const record = recordIn(route.mount, collection.literal);
  return record?.parameter === name.parameter ? record : null;
}

/** Returns the records of a collection, e.g. `affiliates`, or null if they cannot be retrieved one by one. */
function recordIn(mount: string, collection: string): RecordRoute | null {
  for (const read of ROUTES) {
    const [literal, name, ...others] = read.segments;
    if (read.method !== 'GET' || read.mount !== mount || others.length > 0) continue;
    if (!literal || !('literal' in literal) || literal.literal !== collection || !name || !('parameter' in name)) continue;
    const kind = scalars.kindOfId(read.input.shape[name.parameter] as z.ZodType);
    const table = kind && tableOfKind(kind);
    if (!table) return null;
    // The mode of a record never changes, and responses show it in another form than the table.
    const columns = Object.keys((read.output as z.ZodObject).shape).filter(
      (each) => table.columns.has(each) && each !== 'livemode',
    );
    return { parameter: name.parameter, table: table.name, columns, read };
  }
  return null;
}

const shown = new Map<Route, RecordRoute | null>();

/** Returns the record that the responses of a route show as its retrieval does, or null. */
export function recordShownBy(route: Route): RecordRoute | null {
  let record = shown.get(route);
  if (record === undefined) {
    const [collection] = route.segments;
    const found = collection && 'literal' in collection && !route.isOpen ? recordIn(route.mount, collection.literal) : null;
    shown.set(route, (record = found?.read.output === route.output && route.status !== 204 ? found : null));
  }
  return record;
}

/** True if a route retrieves a single record, so that its responses have an ETag. */
export function retrievesRecord(route: Route): boolean {
  return recordOf(route)?.read === route;
}

/** True if a write honours `If-Match` and `If-None-Match`. */
export function isConditional(route: Route): boolean {
  return route.meta.conditional === true && recordOf(route) !== null;
}

/**
 * Returns the ETag of a response that shows a record, or undefined if the response shows something else. Its first part is the version of the record,
 * which writes compare. Its second part also changes with expansions and counters, for `If-None-Match` of reads.
 */
export function entityTagOf(route: Route, output: unknown, body: string | Buffer): string | undefined {
  const record = recordShownBy(route);
  if (!record) return undefined;
  return `"${versionOf(output as Record<string, unknown>, record.columns)}.${hash('sha1', body, 'base64url').slice(0, 16)}"`;
}

/** True if the client has the response with this ETag already. */
export function isKnown(request: Request, tag: string): boolean {
  const known = request.headers['if-none-match'];
  return known !== undefined && (known.trim() === '*' || tagsIn(known).includes(tag));
}

/**
 * Reads the precondition of a write from its headers.
 *
 * @throws VALIDATION_ERROR for a precondition that the operation cannot check: it must not be ignored
 */
export function readPrecondition(
  request: Request,
  route: Route,
  input: Readonly<Record<string, unknown>>,
): Precondition | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
  if (request.method === 'GET' || request.method === 'HEAD' || (match === undefined && noneMatch === undefined)) return undefined;
  const record = recordOf(route);
  if (!record || !isConditional(route))
    throw invalid(
      match === undefined ? 'If-None-Match' : 'If-Match',
      untranslated('This operation does not support conditions.'),
      'unsupported',
    );
  const { table, columns, parameter } = record;
  const id = String(input[parameter]);
  return {
    table,
    id: id.startsWith(EXTERNAL) ? undefined : id,
    columns,
    ...(match === undefined ? {} : { match: versionsIn(match) }),
    ...(noneMatch === undefined ? {} : { noneMatch: versionsIn(noneMatch) }),
  };
}

/** Returns the versions in the ETags of a header, or null for `*`. */
function versionsIn(header: string): string[] | null {
  return header.trim() === '*' ? null : tagsIn(header).map((tag) => tag.slice(1, -1).split('.')[0]!);
}

/** Returns the ETags in a header. Proxies that compress responses mark ETags as weak, so the mark does not count. */
function tagsIn(header: string): string[] {
  return header.match(/"[^"]*"/g) ?? [];
}

/**
 * Removes the preconditions of a request for a file that ships with the service. Express answers a failed precondition with an error, which would
 * count as one of the service, and with the headers of the file, so that a shared cache could keep it.
 */
export function ignorePreconditions({ headers }: Request): void {
  delete headers['if-match'];
  delete headers['if-unmodified-since'];
}
