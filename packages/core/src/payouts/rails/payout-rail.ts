import { z } from 'zod';
import type { Ctx, Services, WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock } from '../../platform/call/locks.ts';
import { assertReaches } from '../../platform/call/mode.ts';
import { foundOrThrow, insert, lock, newRecordColumns, save } from '../../platform/call/records.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { DomainError, invalid, unknownField, validationError, zodDetails } from '../../platform/errors/errors.ts';
import { PLATFORM_REASONS } from '../../platform/texts/reasons.ts';
import { newId } from '../../platform/wire/ids.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, livemode } from '../../platform/wire/scalars.ts';
import { ownMode } from '../../sources/port/port.ts';
import { methodsWithAccounts } from '../methods/methods.ts';
import { type Credentials, type RailAccess, type RailAccounts, type RailEndpoint, RailError } from '../port/rail.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { accessTo, type ConnectedRail, IS_CONNECTED, PayoutRail, railUrl } from './open-rail.ts';

const credentials = z
  .record(z.string().max(40), z.string().min(1).max(500))
  .describe('An object with the `fields` of the rail. They determine live or test mode. They are never shown again.')
  .meta({ example: { client_id: 'AbC1dEf2', client_secret: 'EFg2hIj3' } });

export const PayoutRailRecord = z
  .object({
    id: id('payout_rail'),
    kind: z.string().describe('Kind of the method whose payments go through the rail.').meta({ example: 'paypal' }),
    livemode: livemode(),
    provider_account_id: z.string().describe('Your account at the service that pays.').meta({ example: 'AbC1dEf2' }),
    events_url: z
      .url()
      .describe('URL to which the service that pays sends notices.')
      .meta({ example: 'https://affiliates.example.com/rails/rail_01k9v7m3q8e2t4r6w8y0a1b2c3/events' }),
    has_endpoint: z.boolean().describe('`false` if no notices come, so that payments are only asked about every few minutes.'),
    problem: z
      .string()
      .nullable()
      .describe('Reason for which no further payment is sent. Correct the cause, and resume the rail.')
      .meta({ example: 'Authorization failed due to insufficient permissions.' }),
    problem_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'PayoutRail', description: 'An account at a service that pays affiliates. Contains no secrets.' });
export type PayoutRailRecord = z.infer<typeof PayoutRailRecord>;

export const PayoutRailKind = z
  .object({
    kind: PayoutRailRecord.shape.kind,
    name: z.string().describe('Name of the service that pays.').meta({ example: 'PayPal' }),
    sends: z
      .boolean()
      .describe('`true` if the service sends payments; `false` for a bank account from which you pay the files of exports.'),
    fields: z
      .array(
        z
          .object({
            name: z.string().meta({ example: 'client_id' }),
            required: z.boolean(),
            secret: z.boolean().describe('`true` for a value that pages hide.'),
            placeholder: z.string().describe('Form of the value.').meta({ example: 'AbC1' }),
          })
          .meta({ id: 'RailField' }),
      )
      .describe('The fields of `credentials`.'),
  })
  .meta({ id: 'PayoutRailKind', description: 'A service that can be connected to pay affiliates.' });
export type PayoutRailKind = z.infer<typeof PayoutRailKind>;

export const ListPayoutRailKinds = z.strictObject({});
export const PayoutRailKindList = z.object({ data: z.array(PayoutRailKind) });

export const ListPayoutRails = z.strictObject(pageInput);
export type ListPayoutRails = z.infer<typeof ListPayoutRails>;
export const PayoutRailPage = paginated(PayoutRailRecord);

export const PayoutRailId = z.strictObject({ id: id('payout_rail') });

export const CreatePayoutRail = z.strictObject({ kind: PayoutRailRecord.shape.kind.max(40), credentials });
export type CreatePayoutRail = z.infer<typeof CreatePayoutRail>;

export function listPayoutRailKinds({ services }: Pick<Ctx, 'services'>): { data: PayoutRailKind[] } {
  const methods = [...methodsWithAccounts(services).values()];
  const data = methods.map((method): PayoutRailKind => {
    const { name, fields } = method.accounts;
    const shown = fields.map(({ isSecret, isOptional, ...field }) => ({ ...field, secret: isSecret, required: !isOptional }));
    return { kind: method.kind, name, sends: method.send !== undefined, fields: shown };
  });
  return { data };
}

/** Lists the account's connected rails, newest first. */
export async function listPayoutRails(ctx: Ctx, input: ListPayoutRails): Promise<Page<PayoutRailRecord>> {
  const query = ctx.db.selectFrom('payout_rail').where('account_id', '=', ctx.accountId).where(IS_CONNECTED);
  const { data, pagination } = await paginate(query, input, {
    order: listOrder('-created_at', { table: 'payout_rail' }),
    select: (all) => all.selectAll(),
  });
  return { data: data.map((row) => railRecord(ctx.services, row)), pagination };
}

/** Returns a rail. Throws NOT_FOUND for one that was removed. */
export async function getPayoutRail(ctx: Ctx, { id }: { id: string }): Promise<PayoutRailRecord> {
  return railRecord(ctx.services, await getConnected(ctx, id));
}

/**
 * Connects an account at a service that pays. Checks the credentials there, and creates the endpoint for notices. An account that was connected before
 * continues its rail: payments under way are read again, and what has stopped the rail is forgotten.
 *
 * @throws VALIDATION_ERROR for an unknown kind, for credentials that the service does not accept, and if another account of the kind is connected in the
 * same mode; PSP_ERROR if the service cannot be reached
 */
export async function createPayoutRail(
  ctx: Ctx,
  { kind, credentials: entered }: CreatePayoutRail,
  keep: (tx: WriteCtx, rail: PayoutRailRecord) => Promise<void>,
): Promise<PayoutRailRecord> {
  const { services, accountId } = ctx;
  const accounts = methodsWithAccounts(services).get(kind)?.accounts;
  if (!accounts) throw invalid('kind', PAYOUT_REASONS.unknown_rail, 'not_found');
  const credentials = parseFields(accounts, entered);
  const { mode: railMode, accountId: provider_account_id } = await accepted(() => accounts.connect(credentials));
  const mode = railMode ?? ownMode(accountId);
  if (mode === 'live' && isTestAccount(accountId))
    throw invalid('credentials', PAYOUT_REASONS.test_credentials_needed, 'other_mode');
  assertReaches(ctx, mode === 'live');
  const own = { account_id: accountId, kind, mode, provider_account_id };
  const former = await findFormer(ctx, own);
  const id = former?.id ?? newId('payout_rail', ctx.clock.now());
  const endpoint = ctx.preview
    ? null
    : await endpointOf(ctx, accounts, { id, mode, credentials, accountId: provider_account_id });
  return inTransaction(ctx, async (tx) => {
    await advisoryLock(tx, 'payout rails');
    const others = tx.db.selectFrom('payout_rail').select('id').where('account_id', '=', accountId).where('kind', '=', kind);
    const other = await others.where('mode', '=', mode).where('id', '<>', id).where(IS_CONNECTED).executeTakeFirst();
    if (other) throw invalid('kind', PAYOUT_REASONS.rail_connected_already({ rail: other.id }), 'taken');
    const state = {
      state: 'connected' as const,
      sealed_credentials: services.secrets.seal(JSON.stringify(credentials)),
      endpoint_id: endpoint?.id ?? null,
      sealed_endpoint_secret: endpoint?.secret ? services.secrets.seal(endpoint.secret) : null,
      paced_until: null,
      problem: null,
      problem_at: null,
      updated_at: tx.now,
    };
    // Another request may have connected the account meanwhile.
    const known = await findFormer(tx, own);
    const rail = known
      ? await lock(tx, PayoutRail, known.id)
      : insert(tx, PayoutRail, { ...newRecordColumns(tx, id), ...own, ...state });
    if (known) save(tx, PayoutRail, rail, state);
    tx.afterCommit(() => services.jobs.send('payout_attempts'));
    const record = railRecord(services, rail);
    await keep(tx, record);
    return record;
  });
}

/** Lets payments go through a rail again that has stopped. Throws NOT_FOUND. */
export async function resumePayoutRail(ctx: WriteCtx, { id }: { id: string }): Promise<PayoutRailRecord> {
  await getConnected(ctx, id);
  const rail = await lock(ctx, PayoutRail, id);
  if (rail.problem !== null) save(ctx, PayoutRail, rail, { problem: null, problem_at: null, updated_at: ctx.now });
  ctx.afterCommit(() => ctx.services.jobs.send('payout_attempts'));
  return railRecord(ctx.services, rail);
}

/**
 * Deletes the credentials of a rail, and its endpoint at the service. Payments that are not sent wait for another rail. Those under way wait until the
 * same account is connected again. Throws NOT_FOUND.
 */
export async function removePayoutRail(ctx: WriteCtx, { id }: { id: string }): Promise<PayoutRailRecord> {
  const former = await getConnected(ctx, id);
  const { services } = ctx;
  const access = accessTo(services, former);
  const notices = methodsWithAccounts(services).get(former.kind)?.accounts.notices;
  const rail = await lock(ctx, PayoutRail, id);
  save(ctx, PayoutRail, rail, {
    state: 'disconnected',
    sealed_credentials: null,
    endpoint_id: null,
    sealed_endpoint_secret: null,
    updated_at: ctx.now,
  });
  if (notices && former.endpoint_id !== null && !ctx.preview)
    ctx.afterCommit(() => {
      notices.deleteEndpoint(access, former.endpoint_id!).catch((err: unknown) => {
        services.log.warn({ err, account_id: ctx.accountId, payout_rail_id: id }, 'could not delete the endpoint at the rail');
      });
    });
  return railRecord(services, rail);
}

async function getConnected({ db, accountId }: Ctx, id: string): Promise<ConnectedRail> {
  const rails = db.selectFrom('payout_rail').selectAll().where('account_id', '=', accountId);
  return foundOrThrow(
    (await rails.where('id', '=', id).where(IS_CONNECTED).executeTakeFirst()) as ConnectedRail | undefined,
    'payout rail',
  );
}

function findFormer(
  { db }: Pick<Ctx, 'db'>,
  own: Pick<PayoutRail, 'account_id' | 'kind' | 'mode' | 'provider_account_id'>,
): Promise<{ id: string } | undefined> {
  const rails = db.selectFrom('payout_rail').select('id').where('account_id', '=', own.account_id).where('kind', '=', own.kind);
  return rails.where('mode', '=', own.mode).where('provider_account_id', '=', own.provider_account_id).executeTakeFirst();
}

/** Returns the credentials in the form of the rail. Throws VALIDATION_ERROR unless the fields of the rail are given, and no others. */
function parseFields({ fields, schema }: RailAccounts, entered: Credentials): Credentials {
  const given = new Map(Object.entries(entered));
  for (const { name, isOptional } of fields)
    if (!given.get(name) && !isOptional) throw invalid(`credentials.${name}`, PLATFORM_REASONS.required, 'invalid_type');
  const other = [...given.keys()].find((name) => !fields.some((field) => field.name === name));
  if (other !== undefined) throw validationError([unknownField(`credentials.${other}`)]);
  const parsed = schema?.safeParse(entered);
  if (parsed?.success === false) throw validationError(zodDetails(parsed.error, 'credentials'));
  return parsed?.data ?? entered;
}

/** Returns what a rail says of an input, by default of credentials. Throws VALIDATION_ERROR if it does not accept it; PSP_ERROR. */
export async function accepted<Said>(ask: () => Promise<Said>, path = 'credentials'): Promise<Said> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof RailError)) throw error;
    if (!error.outcomeUnknown) throw invalid(path, error.said, 'not_accepted');
    throw new DomainError('PSP_ERROR', error.said);
  }
}

/** Creates the endpoint for notices. Returns null if the rail refuses, e.g. an address that is not public: the service then only asks. */
async function endpointOf(
  { services, accountId }: Ctx,
  { notices }: RailAccounts,
  { id, ...account }: Pick<PayoutRail, 'id'> & Pick<RailAccess, 'mode' | 'credentials' | 'accountId'>,
): Promise<RailEndpoint | null> {
  if (!notices) return null;
  try {
    return await notices.createEndpoint({ ...account, endpointId: null, endpointSecret: null }, railUrl(services, id));
  } catch (err) {
    if (!(err instanceof RailError)) throw err;
    services.log.warn({ err, account_id: accountId, payout_rail_id: id }, 'could not create the endpoint at the rail');
    return null;
  }
}

function railRecord(services: Pick<Services, 'publicUrl'>, row: PayoutRail): PayoutRailRecord {
  const { id, kind, mode, provider_account_id, endpoint_id, problem, problem_at, created_at, updated_at } = row;
  return {
    id,
    kind,
    livemode: mode === 'live',
    provider_account_id,
    events_url: railUrl(services, id),
    has_endpoint: endpoint_id !== null,
    problem,
    problem_at,
    created_at,
    updated_at,
  };
}
