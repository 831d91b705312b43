/**
 * Writes the ids of affiliate, campaign and commission into the metadata of the payment provider's customers and invoices
 * (docs/rules/sources.md#metadata-that-the-service-writes).
 */
import { sql, type ColumnType } from 'kysely';
import type { Ctx, Services } from '../../platform/call/context.ts';
import { systemContext } from '../../platform/call/transaction.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { requestFingerprint } from '../../platform/idempotency/key-rules.ts';
import {
  beginOperation,
  finishOperation,
  holdingLease,
  nextAttempt,
  outsideKey,
} from '../../platform/operations/operation-ledger.ts';
import type { RunningOperation } from '../../platform/operations/operation.ts';
import { Failures, mayLieInOne } from '../../platform/sweeps/failures.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { ID_PREFIXES } from '../../platform/wire/ids.ts';
import {
  findConnection,
  IS_CONNECTED,
  open,
  type ConnectionWith,
  subjectAt,
  withCapability,
} from '../../sources/connections/open-connection.ts';
import type { Metadata, MetadataOwner } from '../../sources/port/capabilities.ts';
import { PspError } from '../../sources/port/psp-error.ts';
import { INVOICE_OF_SALE, salesOfInvoice } from '../sales/wire-names.ts';

/** The keys of the metadata. Each value is the id of such a record. */
const KEYS = ['affiliate', 'campaign', 'commission'] as const;

/** Ids to write into the metadata of a record of the provider. Empty if nobody earns from the record. */
type EarnedIds = Partial<Record<(typeof KEYS)[number], string>>;

/**
 * Returns the entries of metadata that have to be written so that `found` contains the ids. An empty value removes the entry. A value that is not
 * an id of this service belongs to the merchant and stays, e.g. `affiliate: 'false'`, which excludes payments.
 */
export function metadataChanges(wanted: EarnedIds, found: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    KEYS.flatMap((key) => {
      const current = found[key] ?? '';
      const isOwn = current === '' || current.startsWith(`${ID_PREFIXES[key]}_`);
      const value = wanted[key] ?? '';
      return isOwn && value !== current ? [[key, value]] : [];
    }),
  );
}

/** The ids that the service last wrote into a record of the payment provider. */
interface PspMetadataTable {
  account_id: string;
  psp_object_id: string;
  written: ColumnType<EarnedIds, string, string>;
  /** Why the provider refused the ids; null if it accepted them. They are sent again when they change. */
  problem: string | null;
  updated_at: Instant;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    psp_metadata: PspMetadataTable;
  }
}

declare module '../../platform/operations/operation.ts' {
  interface OperationKinds {
    metadata: null;
  }
}

const BATCH = 50;
/** Accounts whose provider is asked at the same time, so that a slow answer to one delays few others. */
const ACCOUNTS_AT_ONCE = 10;
/** Changes that became visible later than others with a later time are at most this old. */
const OVERLAP_MS = 5 * 60_000;

/** A record of the provider whose metadata should contain other ids than those that were last written. */
interface Due {
  kind: MetadataOwner['kind'];
  object_id: string;
  wanted: EarnedIds;
}

/** Sends a job if some account has its metadata written. Sent after commissions have changed. */
export async function writeBackSoon({ database, jobs }: Services): Promise<void> {
  const { rows } = await sql`select from connection where write_back and ${IS_CONNECTED} limit 1`.execute(database.kysely);
  if (rows.length > 0) jobs.send('psp_metadata');
}

/**
 * Writes the metadata that are due, for all accounts. Several processes may do this at the same time. Returns the number of records written.
 *
 * @throws the first failure, after all other accounts have been tried
 */
export async function writeBackMetadata(services: Services, mustStop: MustStop = () => false): Promise<number> {
  const { rows } = await sql<{ id: string; account_id: string; since: Instant }>`
    select id, account_id, wire_time(write_back_since) as since from connection where write_back and ${IS_CONNECTED} order by id`.execute(
    services.database.kysely,
  );
  const failures = new Failures(services, 'metadata not written at the payment provider; will be retried');
  let written = 0;
  for (let first = 0; first < rows.length && !mustStop(); first += ACCOUNTS_AT_ONCE) {
    const turn = rows.slice(first, first + ACCOUNTS_AT_ONCE).map(async ({ id, account_id, since }) => {
      const ctx = systemContext(services, account_id, 'metadata');
      const count = await failures.attempt({ account_id }, () => writeBackOf(ctx, { id, since }, failures, mustStop));
      written += count ?? 0;
    });
    await Promise.all(turn);
  }
  failures.throwFirst();
  return written;
}

/**
 * Writes the metadata of one connection that are due. A failure of the provider is stored with the connection, and the next round tries again. A record
 * that fails for another reason is left to the next round, and holds up no other.
 */
async function writeBackOf(
  ctx: Ctx,
  { id, since }: { id: string; since: Instant },
  failures: Failures,
  mustStop: MustStop,
): Promise<number> {
  const { services, accountId } = ctx;
  const start = toInstant(services.clock.now());
  let written = 0;
  /** Records that another process writes, or was killed while it wrote them a moment ago, and those that failed. */
  const busy: string[] = [];
  try {
    const row = await findConnection(ctx.db, accountId, id);
    if (row === null) return 0;
    const connection = withCapability(await open(services, row), 'metadata');
    if (connection === null) return 0;
    const { livemode } = connection;
    const findNext = () => findDue(ctx, { livemode, since, busy });
    for (let due = await findNext(); due.length > 0; due = await findNext()) {
      for (const each of due) {
        if (mustStop()) return written;
        const isWritten = await attemptRecord(ctx, failures, each, () => writeMetadata(ctx, connection, each));
        if (isWritten) written += 1;
        else busy.push(each.object_id);
      }
    }
    await settled(ctx, id, { since: busy.length > 0 ? since : plusMilliseconds(start, -OVERLAP_MS), problem: null });
  } catch (error) {
    if (!(error instanceof PspError)) throw error;
    services.log.warn({ err: error, account_id: accountId }, 'could not write metadata at the payment provider');
    await settled(ctx, id, { since, problem: error.said.stored });
  }
  return written;
}

/** Writes a record. Returns false if another process holds it, and undefined if it failed for a reason that lies in the record. */
async function attemptRecord(
  { accountId }: Ctx,
  failures: Failures,
  { kind, object_id }: Due,
  write: () => Promise<boolean>,
): Promise<boolean | undefined> {
  try {
    return await write();
  } catch (err) {
    if (err instanceof PspError || !mayLieInOne(err)) throw err;
    failures.add(err, { account_id: accountId, kind, object_id });
    return undefined;
  }
}

/** Stores up to when changes are written, and why the last round failed. */
async function settled(ctx: Ctx, id: string, { since, problem }: { since: Instant; problem: string | null }): Promise<void> {
  await sql`
    update connection set write_back_since = greatest(write_back_since, ${since}::timestamptz), write_back_problem = ${problem}
    where account_id = ${ctx.accountId} and id = ${id} and write_back
      and (write_back_problem is distinct from ${problem} or write_back_since < ${since}::timestamptz)`.execute(ctx.db);
}

/**
 * Writes the ids into one record of the provider. This is an operation of the ledger of writes, so that a process that is killed at any moment
 * leaves either nothing or an operation that the next round resumes. Writing the same metadata twice has no further effect. Returns false if
 * another process holds the operation.
 */
async function writeMetadata(ctx: Ctx, connection: ConnectionWith<'metadata'>, due: Due): Promise<boolean> {
  const { kind, object_id, wanted } = due;
  const begun = await begin(ctx, connection, object_id);
  if (begun === null) return false;
  await holdingLease(ctx, begun.id, async () => {
    // The provider refuses the key of an attempt that had other metadata.
    const attempt = begun.resumed ? await nextAttempt(ctx, begun) : begun;
    const problem = await send(connection.metadata, { kind, id: object_id }, wanted, outsideKey(attempt));
    await finishOperation(ctx, attempt, async (tx) => {
      await sql`
        insert into psp_metadata (account_id, psp_object_id, written, problem, updated_at)
        values (${tx.accountId}, ${object_id}, ${JSON.stringify(wanted)}::jsonb, ${problem}, ${tx.now})
        on conflict (account_id, psp_object_id) do update
        set written = excluded.written, problem = excluded.problem, updated_at = excluded.updated_at`.execute(tx.db);
      return { status: null, body: { metadata: wanted, problem } };
    });
  });
  return true;
}

/** Begins or resumes the operation on a record. Returns null while another process holds the operation. */
async function begin(ctx: Ctx, connection: ConnectionWith<'metadata'>, object_id: string): Promise<RunningOperation | null> {
  const request = {
    kind: 'metadata' as const,
    subject: subjectAt(connection, `metadata:${object_id}`),
    idempotencyKey: null,
    // The same for all ids of a record, so that a later change resumes an interrupted operation.
    fingerprint: requestFingerprint('metadata', { object_id }),
    input: null,
  };
  try {
    const begun = await beginOperation(ctx, request);
    return 'run' in begun ? begun.run : null;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'OPERATION_PENDING') return null;
    throw error;
  }
}

/** Sends the metadata. Returns null, or the reason if the record does not exist any more or the provider refuses the values. Throws PspError. */
async function send(provider: Metadata, owner: MetadataOwner, wanted: EarnedIds, key: string): Promise<string | null> {
  try {
    const changes = metadataChanges(wanted, await provider.readMetadata(owner));
    if (Object.keys(changes).length > 0) await provider.writeMetadata(owner, changes, key);
    return null;
  } catch (error) {
    if (error instanceof PspError && (error.reason === 'not_found' || error.reason === 'rejected')) return error.message;
    throw error;
  }
}

/**
 * Finds records of the provider that lack ids: of the invoices and customers of sales that changed since `since`, or whose commission or customer
 * did. An invoice gets the ids of its first payment, and a customer those of the latest payment that earned.
 */
async function findDue(
  { db, accountId }: Ctx,
  { livemode, since, busy }: { livemode: boolean; since: Instant; busy: readonly string[] },
): Promise<Due[]> {
  const earned = sql`
    select jsonb_build_object('affiliate', commission.affiliate_id, 'campaign', commission.campaign_id, 'commission', commission.id) as ids
    from sale join commission on commission.sale_id = sale.id and commission.kind = 'sale' and commission.state <> 'voided' and not superseded
    where sale.account_id = ${accountId} and sale.livemode = ${livemode}`;
  const { rows } = await sql<Due>`
    with changed as (
      select id from sale where account_id = ${accountId} and updated_at >= ${since}::timestamptz
      union select sale_id from commission
        where account_id = ${accountId} and updated_at >= ${since}::timestamptz and sale_id is not null
      union select sale.id from customer join sale on sale.customer_id = customer.id
        where customer.account_id = ${accountId} and customer.updated_at >= ${since}::timestamptz
    ), target as (
      select 'invoice' as kind, ${INVOICE_OF_SALE} as object_id, null as customer_id
      from changed join sale on sale.id = changed.id where sale.livemode = ${livemode} and ${INVOICE_OF_SALE} is not null
      union
      select 'customer', customer.psp_customer_id, customer.id
      from changed join sale on sale.id = changed.id join customer on customer.id = sale.customer_id
      where sale.livemode = ${livemode} and customer.psp_customer_id is not null
    ), wanted as (
      select target.kind, object_id, coalesce((${earned} and sale.id = any (${salesOfInvoice(accountId, sql`object_id`)}) order by charged_at, sale.id limit 1), '{}') as ids
      from target where target.kind = 'invoice'
      union all
      select target.kind, object_id, coalesce((${earned} and sale.customer_id = target.customer_id order by charged_at desc, sale.id desc limit 1), '{}')
      from target where target.kind = 'customer'
    )
    select kind, object_id, ids as wanted
    from wanted left join psp_metadata on psp_metadata.account_id = ${accountId} and psp_object_id = object_id
    where ids <> coalesce(written, '{}') and object_id <> all(${busy}::text[]) order by object_id limit ${BATCH}`.execute(db);
  return rows;
}
