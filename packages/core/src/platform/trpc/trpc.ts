import { initTRPC } from '@trpc/server';
import { type MiddlewareResult, middlewareMarker } from '@trpc/server/unstable-core-do-not-import';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { z } from 'zod';
import type { ErrorCode } from '../errors/error-table.ts';
import { DomainError, missingPermission } from '../errors/errors.ts';
import { toTrpcShape } from './error-envelope.ts';
import { onceInTransaction } from '../idempotency/idempotency.ts';
import {
  type Action,
  RESOURCES,
  type Resource,
  type SessionRole,
  type Surface,
  grants,
  permissionName,
  roleAtLeast,
} from '../access/permissions.ts';
import { assertStorable } from '../wire/text-safety.ts';
import type { CallContext, Ctx, PersonCtx, Principal, PublicCtx, SignedIn, WriteCtx } from '../call/context.ts';
import { toInstant } from '../time/instant.ts';

/** Who may call: declared by `read`, `write` and `operate`, enforced before anything else happens. */
export interface Access {
  resource: Resource;
  action: Action;
  /** The weakest role that may call in a session, where it is not what the resource asks for. */
  role?: SessionRole;
  /** Further resources of which it tells: the same action must be allowed on them, too. */
  also?: readonly Resource[];
}

/** The weakest role that may call in a session. */
export function neededRole({ resource, action, role, also = [] }: Access): SessionRole {
  return (
    role ??
    also.reduce<SessionRole>((strongest, each) => {
      const needed = RESOURCES[each][action];
      return roleAtLeast(strongest, needed) ? strongest : needed;
    }, RESOURCES[resource][action])
  );
}

/** The names that a permission map must grant on this surface. */
export function permissionsNeeded(surface: Surface, { resource, action, also = [] }: Access): string[] {
  return [resource, ...also].map((each) => permissionName(surface, each, action));
}

/** Where a REST path is found: `/api/v1`, `/track` for reports of merchants' servers and pages, `/t` for tracked links. */
export type Mount = '/api/v1' | '/track' | '/t';

/** Input that an operation open to anyone takes from a browser's cookies and headers, never from the address or the body. */
export type BrowserField = 'known_referrals' | 'record';

export interface Meta extends OpenApiMeta {
  access?: Access;
  /** In place of `access`, for what concerns a person rather than an account. */
  audience?: 'anyone' | 'signed_in';
  /** Where the procedure is found under /api/v1, and with which status it answers when it succeeds. */
  rest?: Omit<RestDoc, 'summary' | 'description' | 'mount' | 'status'> & { mount: Mount; status: SuccessStatus };
}

const t = initTRPC
  .context<CallContext>()
  .meta<Meta>()
  .create({
    isServer: true,
    errorFormatter: ({ error }) => toTrpcShape(error),
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

type TransactionScope = Pick<WriteCtx, 'em' | 'db' | 'afterCommit'>;

const authorize = t.middleware(async ({ ctx, meta, getRawInput, next }) => {
  const access = meta?.access;
  if (!access) throw new DomainError('FORBIDDEN', 'This procedure declares no permission.');
  const { principal } = ctx;
  if (principal.kind === 'visitor') throw principal.refusal;
  assertAllowed(principal, ctx.surface, access);
  assertStorable(await getRawInput());
  const { database, clock } = ctx.services;
  const scope = { principal, accountId: principal.account_id, clock, now: toInstant(clock.now()), db: database.kysely };
  return next({ ctx: scope satisfies Omit<Ctx, keyof CallContext> });
});

function assertAllowed(principal: Principal, surface: Surface, access: Access): void {
  if (principal.kind === 'system') return;
  if (principal.kind === 'session') {
    const needed = neededRole(access);
    if (!roleAtLeast(principal.role, needed))
      throw new DomainError('FORBIDDEN', `This needs the role ${needed}; you are ${principal.role}.`);
    return;
  }
  const missing = permissionsNeeded(surface, access).find((name) => !grants(principal.permissions, name));
  if (missing !== undefined) throw missingPermission(missing);
}

/**
 * One transaction around a mutation, its events, and its response under the Idempotency-Key. A preview does all of it and rolls back.
 * tRPC reports a failed `proceed()` as a value: it is thrown here, or the transaction would commit.
 */
async function inOneTransaction(
  ctx: Ctx,
  { path, meta, rawInput }: { path: string; meta: Meta | undefined; rawInput: unknown },
  proceed: (scope: TransactionScope) => Promise<MiddlewareResult<TransactionScope>>,
): Promise<MiddlewareResult<TransactionScope>> {
  const request = { procedure: path, input: rawInput, status: meta?.rest?.status };
  const data = await onceInTransaction(ctx, request, async ({ em, db, afterCommit }) => {
    const outcome = await proceed({ em, db, afterCommit });
    if (!outcome.ok) throw outcome.error;
    return outcome.data;
  });
  return { ok: true, data, marker: middlewareMarker } as const;
}

/** A query on `resource`, which may tell `also` of others: authorized, no transaction. */
export function read(resource: Resource, ...also: Resource[]) {
  return t.procedure.meta({ access: { resource, action: 'read', ...(also.length > 0 ? { also } : {}) } }).use(authorize);
}

/** What is not the same for all mutations. */
interface WriteOptions<Input> {
  /** The weakest role that may call in a session, where it is not what the resource asks for. */
  role?: SessionRole;
  /** A check that may take its time (it asks a name server, say): nothing waits for it in a transaction. */
  check?: (ctx: Ctx, input: Input) => Promise<void>;
}

/**
 * A mutation on `resource`: authorized, its input read, then one transaction, idempotency key, preview. The input is an argument so that
 * it is judged before the transaction: what is refused for it costs the database nothing.
 */
export function write<Input extends z.ZodObject | z.ZodOptional<z.ZodObject>>(
  resource: Resource,
  input: Input,
  { role, check }: WriteOptions<z.infer<Input>> = {},
) {
  return t.procedure
    .meta({ access: { resource, action: 'write', ...(role ? { role } : {}) } })
    .use(authorize)
    .input(input)
    .use(async ({ ctx, input: parsed, meta, path, getRawInput, next }): Promise<MiddlewareResult<TransactionScope>> => {
      await check?.(ctx, parsed as z.infer<Input>);
      return inOneTransaction(ctx, { path, meta, rawInput: await getRawInput() }, (scope) => next({ ctx: scope }));
    });
}

/**
 * A mutation on `resource` that talks to the payment provider and therefore opens its own short transactions: authorized,
 * nothing more. It must honour `preview`, and the Idempotency-Key through `platform/idempotency`, itself.
 */
export function operate(resource: Resource) {
  return t.procedure.meta({ access: { resource, action: 'write' } }).use(authorize);
}

/** A procedure for anyone, about nobody's account. It opens its own transactions. */
export function anyone() {
  return t.procedure.meta({ audience: 'anyone' }).use(async ({ ctx, getRawInput, next }) => {
    assertStorable(await getRawInput());
    return next({ ctx: { session: sessionOf(ctx) } satisfies Pick<PublicCtx, 'session'> });
  });
}

/** A procedure for whoever has signed in, in whichever account. It opens its own transactions. */
export function signedIn() {
  return t.procedure.meta({ audience: 'signed_in' }).use(async ({ ctx, getRawInput, next }) => {
    const session = sessionOf(ctx);
    if (!session) throw new DomainError('UNAUTHORIZED', 'Sign in first.');
    assertStorable(await getRawInput());
    return next({ ctx: { session } satisfies Pick<PersonCtx, 'session'> });
  });
}

function sessionOf({ principal }: CallContext): SignedIn | null {
  if (principal.kind === 'visitor') return principal.session;
  return principal.kind === 'session' ? { id: principal.id, user_id: principal.user_id } : null;
}

/** 302 sends the browser to the `url` of the output. */
type SuccessStatus = 200 | 201 | 202 | 204 | 302;

export interface RestDoc {
  summary: string;
  description?: string;
  /** Status of success, when it is not 200. */
  status?: Exclude<SuccessStatus, 200>;
  /** `/api/v1` unless said otherwise. */
  mount?: Mount;
  /** For other methods than GET and DELETE: input fields that may also stand in the query. */
  queryInBody?: readonly string[];
  /** Further statuses of success that the procedure sets through `ctx.reply`, and when. */
  otherStatuses?: Partial<Record<200 | 201 | 202, string>>;
  /** Errors beyond those that every operation of its method can answer, for the contract. */
  errors?: readonly ErrorCode[];
  /** Pages of every origin may call it and read the answer (CORS). For operations of anyone only: no cookies are read or set. */
  anyOrigin?: true;
  /** Input fields that the door takes from cookies and headers. */
  fromBrowser?: readonly BrowserField[];
  /** When a success sets a cookie, for the contract. */
  cookie?: string;
}

/** Puts a procedure on REST. The tag is the first segment of the path. */
export function rest(method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: `/${string}`, doc: RestDoc): Meta {
  const tag = (path.split('/')[1] ?? '').replaceAll('_', ' ');
  return {
    openapi: {
      method,
      path,
      summary: doc.summary,
      ...(doc.description ? { description: doc.description } : {}),
      tags: [tag.charAt(0).toUpperCase() + tag.slice(1)],
      successDescription: doc.summary,
    },
    rest: {
      mount: doc.mount ?? '/api/v1',
      status: doc.status ?? 200,
      queryInBody: doc.queryInBody,
      otherStatuses: doc.otherStatuses,
      errors: doc.errors,
      anyOrigin: doc.anyOrigin,
      fromBrowser: doc.fromBrowser,
      cookie: doc.cookie,
    },
  };
}
