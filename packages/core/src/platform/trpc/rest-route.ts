import type { OpenApiMeta } from 'trpc-to-openapi';
import type { CallContext } from '../call/context.ts';
import type { ErrorCode } from '../errors/error-table.ts';

/**
 * Root of a REST path: `/api/v1` for the affiliate program, `/api/settings/v1` for the settings of an account, `/track` for reports from merchants'
 * servers and pages, `/t` for tracked links. Each root belongs to one contract.
 */
export type Mount = '/api/v1' | (typeof FURTHER_MOUNTS)[number];

const FURTHER_MOUNTS = ['/api/settings/v1', '/track', '/t'] as const;

/**
 * Input fields that come only from a browser's cookies and headers, never from the URL or the body. Only operations open to anyone have them.
 */
export type BrowserField = 'known_referrals' | 'record';

/** The HTTP status of a successful response. 302 redirects to the `url` in the output. */
type SuccessStatus = 200 | 201 | 202 | 204 | 302;

/** An operation that still works, but that new integrations should not use (docs/api.md#versions-and-deprecation). */
interface Deprecation {
  /** Day on which it was deprecated, e.g. `2026-11-27`. */
  since: string;
  /** First day on which it may be gone, at least 12 months after the day on which this date was announced. */
  sunset?: string;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** The description of a REST route. */
interface RestDoc {
  summary: string;
  description?: string;
  deprecated?: Deprecation;
  /** HTTP status of a successful response. Default: 200. */
  status?: Exclude<SuccessStatus, 200>;
  /** Input fields that may also be in the query, for methods other than GET and DELETE. */
  queryInBody?: readonly string[];
  /** Other success statuses that the procedure sets through `ctx.reply`, each with a description for the contract. */
  otherStatuses?: Partial<Record<200 | 201 | 202, string>>;
  /** Errors beyond those common to all operations of the method, for the contract. */
  errors?: readonly ErrorCode[];
  /**
   * Pages of every origin may call the operation and read the response (CORS). Only for operations that anyone may call. No cookies are read
   * or set.
   */
  anyOrigin?: true;
  /**
   * The procedure returns one part of a list as CSV (`CsvPart`). The REST operation sends all parts as one file, and has no field `after`.
   */
  csv?: true;
  /** Input fields whose values come from the request's cookies and headers. */
  fromBrowser?: readonly BrowserField[];
  /**
   * The input field `account_id` is the account of the request (docs/rules/identity.md#account-context), and is not in the path, the query or the body.
   */
  accountFromContext?: true;
  /**
   * The response with status 202 has a header `Location` with this path of the record, in which `{id}` is its id, and `Retry-After`.
   */
  location?: `/${string}`;
  /** Description, for the contract, of the cookie that a successful response sets. */
  cookie?: string;
}

/** The properties of a procedure that has a REST route. */
export interface RestMeta extends OpenApiMeta {
  /** The REST route: its root, the status of a successful response, and other settings. */
  rest?: Omit<RestDoc, 'summary' | 'description' | 'status'> & { mount: Mount; status: SuccessStatus };
}

/** Returns a record that an operation creates only if it does not exist, and sets the status: 201 if this call created the record, otherwise 200. */
export function created<Of>(
  { reply }: Pick<CallContext, 'reply'>,
  { record, created: isNew }: { record: Of; created: boolean },
): Of {
  reply.status = isNew ? 201 : 200;
  return record;
}

/**
 * Gives a procedure a REST route. The tag is the first segment of the path below its root.
 *
 * @param route method and path: below `/api/v1`, or with its root if that is another one
 */
export function rest<Procedure extends { meta: (meta: RestMeta) => Procedure }>(
  procedure: Procedure,
  route: `${Method} /${string}`,
  doc: RestDoc,
): Procedure {
  const { summary, description, status = 200, ...others } = doc;
  const [method, path] = route.split(' ') as [Method, `/${string}`];
  const mount = FURTHER_MOUNTS.find((root) => path.startsWith(`${root}/`));
  const below: `/${string}` = mount ? `/${path.slice(mount.length + 1)}` : path;
  const tag = (below.split('/')[1] ?? '').replaceAll('_', ' ');
  return procedure.meta({
    openapi: {
      method,
      path: below,
      summary,
      ...(description ? { description } : {}),
      tags: [tag.charAt(0).toUpperCase() + tag.slice(1)],
      successDescription: summary,
    },
    rest: { mount: mount ?? '/api/v1', status, ...others },
  });
}
