import { type Meta, type Mount, PROCEDURES, type ProcedurePath } from '@affiliate/core';
import type { z } from 'zod';

/** A procedure with a REST path. */
export interface Route {
  /** Path of the procedure in the router, e.g. `commissions.update`. */
  procedure: ProcedurePath;
  mount: Mount;
  method: string;
  /** Path below the mount point, e.g. `/commissions/{id}`. */
  template: string;
  segments: Segment[];
  status: number;
  input: z.ZodObject;
  output: z.ZodType;
  /** Input fields that may be in the query. */
  inQuery: readonly string[];
  /** True if anyone may call the route. Credentials are then ignored, and requests are counted by address. */
  isOpen: boolean;
  /** The declaration of the procedure. */
  meta: Meta;
}

type Segment = { literal: string } | { parameter: string };

export interface Match {
  route: Route;
  params: Record<string, string>;
}

/** The routes of all procedures that declare a REST path, in the order of the router. */
export const ROUTES: readonly Route[] = PROCEDURES.flatMap(({ path: procedure, meta, input, output }) => {
  const { openapi, rest } = meta;
  if (!openapi || !rest) return [];
  const segments = openapi.path
    .split('/')
    .slice(1)
    .map((part): Segment => (part.startsWith('{') ? { parameter: part.slice(1, -1) } : { literal: part }));
  const inPath = segments.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
  const elsewhere: readonly string[] = [
    ...inPath,
    ...(rest.fromBrowser ?? []),
    ...(rest.accountFromContext ? ['account_id'] : []),
    ...(rest.csv ? ['after'] : []),
  ];
  const hasJson = openapi.method !== 'GET' && openapi.method !== 'DELETE' && meta.maxUploadBytes === undefined;
  return [
    {
      procedure,
      mount: rest.mount,
      method: openapi.method,
      template: openapi.path,
      segments,
      status: rest.status,
      input,
      output,
      inQuery: hasJson ? (rest.queryInBody ?? []) : Object.keys(input.shape).filter((name) => !elsewhere.includes(name)),
      isOpen: meta.audience === 'anyone',
      meta,
    },
  ];
});

/** Routes that anyone may call. `openOperations` matches their paths. */
export const OPEN_ROUTES = ROUTES.filter(({ isOpen }) => isOpen);

/** Routes that need credentials. `findRoute` matches their paths. */
const GUARDED_ROUTES = ROUTES.filter(({ isOpen }) => !isOpen);

/** The routes that need credentials, grouped by mount and number of segments. */
const CANDIDATES = Map.groupBy(GUARDED_ROUTES, ({ mount, segments }) => `${mount} ${segments.length}`);

/**
 * Returns the routes that need credentials and whose path matches, whatever their method, so that a wrong method can be answered with 405. Routes
 * with more literal segments win over routes with parameters. A slash at the end of the path does not count.
 */
export function matchPath(mount: string, path: string): Match[] {
  const parts = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/').slice(1);
  const candidates = CANDIDATES.get(`${mount} ${parts.length}`) ?? [];
  const matches = candidates.flatMap((route) => {
    const params = matchSegments(route.segments, parts);
    return params ? [{ route, params }] : [];
  });
  const most = Math.max(...matches.map(({ route }) => literals(route)));
  return matches.filter(({ route }) => literals(route) === most);
}

function literals(route: Route): number {
  return route.segments.filter((segment) => 'literal' in segment).length;
}

function matchSegments(segments: Segment[], parts: string[]): Record<string, string> | null {
  if (segments.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [i, segment] of segments.entries()) {
    const part = parts[i]!;
    if ('literal' in segment) {
      if (segment.literal !== part) return null;
    } else {
      const value = decode(part);
      if (value === null || value === '') return null;
      params[segment.parameter] = value;
    }
  }
  return params;
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
