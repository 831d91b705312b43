import { asParty } from '@affiliate/postgres';
import { initTRPC, type TRPCMiddlewareFunction } from '@trpc/server';
import type { z } from 'zod';
import type { Resource, SessionRole, Surface } from '../access/permissions.ts';
import {
  auditedName,
  beginAuditEntry,
  completeAuditEntry,
  isAudited,
  moveAuditEntry,
  recordWrite,
} from '../audit-log/audit-entry.ts';
import { clockOf } from '../call/call-time.ts';
import type { CallContext, Ctx, PersonCtx, Principal, PublicCtx, SignedIn, WriteCtx } from '../call/context.ts';
import { shownInTestMode } from '../call/mode.ts';
import { isTestAccount, testAccountOf } from '../call/test-account-id.ts';
import type { Database, Db } from '../db/database.ts';
import { isFailureOfReplica } from '../errors/database-failures.ts';
import { DomainError, untranslated, validationError, zodDetails } from '../errors/errors.ts';
import { type KeyedRequest, onceInTransaction } from '../idempotency/idempotency.ts';
import { beginConfirmation } from '../previews/confirm-effect.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { toInstant } from '../time/instant.ts';
import { ID_PREFIXES, type RecordKind } from '../wire/ids.ts';
import { assertStorable } from '../wire/text-safety.ts';
import { toEnvelope, toTrpcShape } from './error-envelope.ts';
import { assertAllowed, type Meta } from './meta.ts';

const t = initTRPC
  .context<CallContext>()
  .meta<Meta>()
  .create({
    isServer: true,
    errorFormatter: ({ error, ctx }) => toTrpcShape(error, ctx?.language),
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** The value that a middleware gets from `next` and must return. */
export type MiddlewareResult<Overrides> = Awaited<
  ReturnType<TRPCMiddlewareFunction<object, object | undefined, object, Overrides, unknown>>
>;

type TransactionScope = Pick<WriteCtx, 'db' | 'locks' | 'records' | 'now' | 'afterCommit'>;

const authorize = t.middleware(async ({ ctx, meta, type, getRawInput, next }) => {
  const access = meta?.access;
  if (!access && meta?.audience !== 'account')
    throw new DomainError('FORBIDDEN', untranslated('This procedure does not declare a permission, so nobody may call it.'));
  const { principal } = ctx;
  if (principal.kind === 'visitor') throw principal.refusal;
  if (access) assertAllowed(principal, ctx.surface, access);
  const rawInput = await getRawInput();
  assertStorable(rawInput);
  const { database } = ctx.services;
  const audited: NonNullable<CallContext['audited']> = { entry: ctx.audited?.entry };
  const callAs = async (caller: Principal) => {
    const clock = await clockOf(ctx.services, caller.account_id);
    const scope = {
      principal: caller,
      accountId: caller.account_id,
      clock,
      now: toInstant(clock.now()),
      db: database.kysely,
      audited,
      // The stored answer of a write, and its events, are the same in every language.
      language: type === 'query' ? ctx.language : undefined,
    };
    const proceed = async (db: Db = scope.db) => {
      const outcome = await next({ ctx: { ...scope, db } satisfies Omit<Ctx, keyof CallContext> });
      return outcome.ok && isTestAccount(scope.accountId) ? { ...outcome, data: shownInTestMode(outcome.data) } : outcome;
    };
    const replica = type === 'query' ? await database.replica?.upToDateFor(caller.account_id) : null;
    if (!replica) return proceed();
    const outcome = await proceed(replica);
    if (outcome.ok || !isFailureOfReplica(outcome.error)) return outcome;
    database.replica?.pause();
    return proceed();
  };
  if (principal.kind === 'system') return callAs(principal);
  return asParty({ lane: type === 'query' ? 'read' : 'write', id: principal.account_id }, async () => {
    const outcome = await callAs(principal);
    if (outcome.ok || !isNotFound(outcome.error)) return outcome;
    const inTestMode = await asCallerOfTestRecord(database, principal, rawInput);
    if (!inTestMode) return outcome;
    if (audited.entry !== undefined) await moveAuditEntry(ctx.services, audited.entry, inTestMode.account_id);
    return callAs(inTestMode);
  });
});

function isNotFound({ cause }: Error): boolean {
  return cause instanceof DomainError && cause.code === 'NOT_FOUND';
}

/**
 * Runs a mutation in one transaction, together with its events and its stored response. A preview runs completely and is then rolled back. If
 * the mutation fails, tRPC's `proceed` returns the error instead of throwing it. This function throws the error, because otherwise the
 * transaction would commit.
 */
export async function inOneTransaction(
  ctx: Ctx,
  { path, meta, rawInput }: { path: string; meta: Meta | undefined; rawInput: unknown },
  proceed: (scope: TransactionScope) => Promise<MiddlewareResult<TransactionScope>>,
): Promise<MiddlewareResult<TransactionScope>> {
  const request = { procedure: path, input: rawInput, status: meta?.rest?.status };
  let result: MiddlewareResult<TransactionScope> | undefined;
  const data = await onceInTransaction(ctx, request, async ({ db, locks, records, now, afterCommit }) => {
    const outcome = await proceed({ db, locks, records, now, afterCommit });
    if (!outcome.ok) throw outcome.error;
    result = outcome;
    return outcome.data;
  });
  // After a repeated transaction, `result` may be of an attempt that was rolled back. A stored response is replayed without running the procedure: its
  // result has what tRPC reads.
  return result?.ok && result.data === data ? result : ({ ok: true, data } as MiddlewareResult<TransactionScope>);
}

/** Declares an authorized query on `resource`, without a transaction. Its output may reveal the resources in `also`. */
export function read(resource: Resource, ...also: Resource[]) {
  return t.procedure.meta({ access: { resource, action: 'read', ...(also.length > 0 ? { also } : {}) } }).use(authorize);
}

/** Declares a query that every caller with access to the account may call, whatever their permissions or role. Its output must reveal only the caller. */
export function readOwn() {
  return t.procedure.meta({ audience: 'account' }).use(authorize);
}

/** Optional settings of a mutation. */
interface WriteOptions<Input> {
  /** The weakest role whose sessions may call the procedure, if it differs from the role that the resource requires. */
  role?: SessionRole;
  /** Further resources that the caller must be allowed to write. */
  also?: Resource[];
  /** A check that may be slow, e.g. a DNS look-up. Runs before the transaction. */
  check?: (ctx: Ctx, input: Input) => Promise<void>;
  /**
   * The write moves money, so an assistant that a person connected must repeat a preview (docs/rules/platform.md#confirmed-effects). The mutation
   * calls `confirmEffect`. A function limits this to some inputs.
   */
  confirmed?: true | ((input: Input) => boolean);
  /** False for a write that does not change the record that it names, so that the version of this record does not matter. */
  conditional?: false;
  /** The write reports facts of a program, e.g. sales (`Meta.facts`). */
  facts?: true;
}

/**
 * Declares a mutation on `resource`. Each call is authorized, its input is validated, and then one transaction runs the mutation, with support
 * for idempotency keys and previews. The input schema is an argument so that input is validated before the transaction begins, and refused
 * input never reaches the database.
 */
export function write<Input extends z.ZodObject | z.ZodOptional<z.ZodObject>>(
  resource: Resource,
  input: Input,
  { role, also, check, confirmed, conditional, facts }: WriteOptions<z.infer<Input>> = {},
) {
  return t.procedure
    .meta({
      access: { resource, action: 'write', ...(role ? { role } : {}), ...(also ? { also } : {}) },
      ...(conditional === false ? {} : { conditional: true }),
      ...(confirmed ? { confirmed: true } : {}),
      ...(facts ? { facts } : {}),
    })
    .use(authorize)
    .input(input)
    .use(async ({ ctx, input: parsed, meta, path, getRawInput, next }): Promise<MiddlewareResult<TransactionScope>> => {
      await check?.(ctx, parsed as z.infer<Input>);
      const isConfirmed = confirmed === true || confirmed?.(parsed as z.infer<Input>);
      const confirmation = isConfirmed ? beginConfirmation(ctx, path, parsed) : undefined;
      return inOneTransaction(ctx, { path, meta, rawInput: requestOf(ctx, await getRawInput()) }, async (scope) => {
        const outcome = await next({ ctx: { ...scope, confirmation } });
        if (outcome.ok && confirmation?.isConfirmed === false) throw new Error(`${path} does not confirm its effect.`);
        if (outcome.ok && isAudited(ctx, facts)) {
          const { subject } = ctx.audited;
          recordWrite({ ...ctx, ...scope }, path, parsed, subject === undefined ? outcome.data : { id: subject });
        }
        return outcome;
      });
    });
}

/** Returns the input of a request and the hash of the file in its body. An Idempotency-Key stands for both. */
function requestOf({ upload }: CallContext, input: unknown): unknown {
  return upload ? { input, sha256: upload.sha256 } : input;
}

/**
 * Throws the error of a caller who may not call a procedure, for doors that do something before the call.
 *
 * @throws FORBIDDEN; VALIDATION_ERROR if the procedure refuses the input
 */
export function assertMayCall(principal: Principal, surface: Surface, { access }: Meta, schema: z.ZodType, input: unknown): void {
  if (access) assertAllowed(principal, surface, access);
  assertStorable(input);
  const { error } = schema.safeParse(input);
  if (error) throw validationError(zodDetails(error));
}

/**
 * Declares a mutation on `resource` that calls the payment provider and therefore opens its own short transactions. Includes only
 * authorization, input and the audit log: for valid input, the audit entry is written before the call and completed after it. The procedure
 * itself must honour `preview` and, through `platform/idempotency`, the Idempotency-Key of `ctx.request`. With `confirmed`, it also calls `confirmEffect`. With
 * `conditional`, it runs in `onceInTransaction`.
 */
export function operate<Input extends z.ZodObject>(
  resource: Resource,
  input: Input,
  { confirmed, conditional, facts }: { confirmed?: true; conditional?: true; facts?: true } = {},
) {
  return t.procedure
    .meta({
      access: { resource, action: 'write' },
      ...(confirmed ? { confirmed } : {}),
      ...(conditional ? { conditional } : {}),
      ...(facts ? { facts } : {}),
    })
    .use(authorize)
    .input(input)
    .use(async ({ ctx, path, meta, input: parsed, next: proceed }) => {
      const confirmation = confirmed ? beginConfirmation(ctx, path, parsed) : undefined;
      const request: KeyedRequest = { procedure: path, input: parsed, status: meta?.rest?.status };
      const next = () => proceed({ ctx: { confirmation, request } });
      if (!isAudited(ctx, facts)) return next();
      const { services, principal, requestId, reply } = ctx;
      const call = { ...auditedName(path), arguments: parsed, preview: isDryRun(parsed), requestId };
      const entry = (ctx.audited.entry ??= await beginAuditEntry(services, principal, call));
      const outcome = await next();
      const succeeded = reply.replayed ? 'replayed' : 'succeeded';
      const returned = outcome.ok && !call.preview ? outcome.data : undefined;
      await completeAuditEntry(services, entry, outcome.ok ? succeeded : toEnvelope(outcome.error).body.code, returned);
      return outcome;
    });
}

/** Reports whether the parsed input of an operation asks for a preview, explicitly or by default. */
function isDryRun(input: object): boolean {
  return 'dry_run' in input && input.dry_run === true;
}

/** Declares a procedure that anyone may call, outside any account. It opens its own transactions. */
export function anyone() {
  return t.procedure.meta({ audience: 'anyone' }).use(async ({ ctx, getRawInput, next }) => {
    assertStorable(await getRawInput());
    return next({ ctx: { session: sessionOf(ctx) } satisfies Pick<PublicCtx, 'session'> });
  });
}

/** Declares a procedure for any signed-in person, whatever their account. It opens its own transactions. */
export function signedIn() {
  return t.procedure.meta({ audience: 'signed_in' }).use(async ({ ctx, getRawInput, next }) => {
    const session = sessionOf(ctx);
    if (!session) throw new DomainError('UNAUTHORIZED', PLATFORM_REASONS.sign_in_first);
    assertStorable(await getRawInput());
    return next({ ctx: { session } satisfies Pick<PersonCtx, 'session'> });
  });
}

function sessionOf({ principal }: CallContext): SignedIn | null {
  if (principal.kind === 'visitor') return principal.session;
  return principal.kind === 'session' ? { id: principal.id, user_id: principal.user_id } : null;
}

const KIND_BY_PREFIX = new Map(Object.entries(ID_PREFIXES).map(([kind, prefix]) => [prefix as string, kind as RecordKind]));

type KeyPrincipal = Extract<Principal, { kind: 'api_key' }>;

/**
 * Returns the caller of a call that has found no record in the live account as a caller of the test account, if the call names a record of that
 * account by its id (docs/rules/platform.md#test-mode). Returns null if it does not, and for callers with a mode. Records that are named by the merchant's own ids are not looked up,
 * because both modes may have one with the same id.
 *
 * @param input the input of the call, not validated
 */
async function asCallerOfTestRecord(
  { kysely, namedTables }: Database,
  caller: Principal,
  input: unknown,
): Promise<KeyPrincipal | null> {
  if (caller.kind !== 'api_key' || caller.livemode !== null || isTestAccount(caller.account_id)) return null;
  const account_id = testAccountOf(caller.account_id);
  for (const value of Object.values(Object(input) as Record<string, unknown>)) {
    if (typeof value !== 'string') continue;
    const kind = KIND_BY_PREFIX.get(value.slice(0, -27));
    const table = kind && namedTables[kind];
    if (table === undefined) continue;
    const found = await kysely
      // The name of the table is not known to the compiler here, but `id` and `account_id` are columns of every record that calls name.
      .selectFrom(table as 'audit_log')
      .select('id')
      .where('id', '=', value)
      .where('account_id', '=', account_id)
      .executeTakeFirst();
    if (found) return { ...caller, account_id };
  }
  return null;
}
