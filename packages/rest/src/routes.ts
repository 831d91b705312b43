import { EXTERNAL, type Meta, type Mount, PROCEDURES, type ProcedurePath } from '@affiliate/core';
import type { z } from 'zod';

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

/** Routes by the segments of their paths, so that finding a path takes the same time however many routes there are. */
interface Branch {
  /** Routes whose paths end here, one per method. */
  readonly routes: Route[];
  readonly literals: Map<string, Branch>;
  /** Continues with the value of a parameter. */
  parameter?: Branch;
}

const newBranch = (): Branch => ({ routes: [], literals: new Map() });

/** The routes that need credentials, by mount. `findRoute` matches their paths. */
const TREES = new Map<string, Branch>();
for (const route of ROUTES) {
  if (route.isOpen) continue;
  let branch = TREES.get(route.mount) ?? newBranch();
  TREES.set(route.mount, branch);
  for (const segment of route.segments) {
    if ('parameter' in segment) branch = branch.parameter ??= newBranch();
    else {
      const next = branch.literals.get(segment.literal) ?? newBranch();
      branch.literals.set(segment.literal, next);
      branch = next;
    }
  }
  branch.routes.push(route);
}

/**
 * Returns the routes that need credentials and whose path matches, whatever their method, so that a wrong method can be answered with 405. Routes
 * with more literal segments win over routes with parameters. A slash at the end of the path does not count. A merchant's own id
 * (`external:gid://shopify/Order/1`) may contain slashes: it ends at the first place where the rest of the path is known.
 */
export function matchPath(mount: string, path: string): Match[] {
  const root = TREES.get(mount);
  if (!root) return [];
  const parts = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/').slice(1);
  return routesBelow(root, parts).matches.map(({ route, values }) => ({ route, params: paramsOf(route, values) }));
}

interface Found {
  /** Routes with the values of their parameters, in the order of the path. */
  matches: readonly { route: Route; values: readonly string[] }[];
  /** Number of segments of the path that were found as literals. */
  literals: number;
}

const NOTHING: Found = { matches: [], literals: 0 };

/** Returns the routes below a branch that match the parts of a path from `at` on. */
function routesBelow(branch: Branch, parts: readonly string[], at = 0): Found {
  if (at === parts.length) return { matches: branch.routes.map((route) => ({ route, values: [] })), literals: 0 };
  const literal = branch.literals.get(parts[at]!);
  const named = literal ? routesBelow(literal, parts, at + 1) : NOTHING;
  const valued = branch.parameter ? routesBelowValue(branch.parameter, parts, at) : NOTHING;
  if (named.matches.length === 0) return valued;
  const literals = named.literals + 1;
  if (valued.matches.length === 0 || valued.literals < literals) return { matches: named.matches, literals };
  if (valued.literals > literals) return valued;
  return { matches: [...named.matches, ...valued.matches], literals };
}

/** Maximum number of parts of a path that one merchant's own id takes. */
const MAX_PARTS = 16;

/** Returns the routes below a parameter whose value begins at `at`. */
function routesBelowValue(branch: Branch, parts: readonly string[], at: number): Found {
  for (let to = at + 1; to <= Math.min(parts.length, at + MAX_PARTS); to += 1) {
    const value = decode(parts.slice(at, to).join('/'));
    if (!value || (to > at + 1 && !value.startsWith(EXTERNAL))) return NOTHING;
    const { matches, literals } = routesBelow(branch, parts, to);
    if (matches.length > 0)
      return { matches: matches.map(({ route, values }) => ({ route, values: [value, ...values] })), literals };
  }
  return NOTHING;
}

function paramsOf({ segments }: Route, values: readonly string[]): Record<string, string> {
  const names = segments.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
  return Object.fromEntries(names.map((name, at) => [name, values[at]!]));
}

/** Returns the decoded part of a path, or null if it cannot be decoded. */
function decode(part: string): string | null {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
