import { sql } from 'kysely';
import type { PortalHostFailure } from '../../identity/branding/branding.tables.ts';
import { portalUrlOf } from '../../identity/branding/portal-url.ts';
import type { Services } from '../../platform/call/context.ts';
import { isViolationOf } from '../../platform/errors/constraints.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { PROOF_PATH, newNonce, ownerRecord, proofOf } from './portal-hosts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A verified host may lead elsewhere for this long before the portal leaves it. */
const GRACE_MS = 3 * DAY_MS;
/** A process that takes a check and dies holds it up for this long. */
const LEASE_MS = 2 * MINUTE_MS;
const BATCH = 10;

interface Due {
  account_id: string;
  host: string;
  verified_at: Instant | null;
  failing_since: Instant | null;
  created_at: Instant;
}

/**
 * Checks the hosts whose check is due (docs/domain-rules.md#portal-hosts). Several processes may run it at once. Returns how many it has
 * checked.
 */
export async function checkPortalHosts(services: Services, mustStop: () => boolean = () => false): Promise<number> {
  let checked = 0;
  while (!mustStop()) {
    const due = await claim(services);
    const outcomes = await Promise.allSettled(due.map((one) => check(services, one)));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') services.log.error({ err: outcome.reason }, 'portal host not checked');
    checked += due.length;
    if (due.length < BATCH) break;
  }
  return checked;
}

async function claim({ database, clock }: Services): Promise<Due[]> {
  const now = toInstant(clock.now());
  const { rows } = await sql<Due>`
    update portal_host set check_at = ${plusMilliseconds(now, LEASE_MS)}::timestamptz
    where account_id in (
      select account_id from portal_host where check_at <= ${now}::timestamptz order by check_at limit ${BATCH} for update skip locked
    )
    returning account_id, host, verified_at, failing_since, created_at`.execute(database.kysely);
  return rows;
}

async function check(services: Services, due: Due): Promise<void> {
  const finding = await find(services, due);
  try {
    await record(services, due, finding);
  } catch (error) {
    if (!isViolationOf(error, 'portal_host_verified')) throw error;
    await record(services, due, { ...finding, failure: 'taken' });
  }
}

interface Finding {
  failure: PortalHostFailure | null;
  /** Texts of the records of the name: the accounts that its holder names. */
  named: readonly string[];
}

/** The name must lead here, and its holder must name the account: a name that leads here could be that of anybody who uses the service. */
async function find(services: Services, { host, account_id }: Due): Promise<Finding> {
  const failure = await probe(services, host);
  if (failure !== null) return { failure, named: [] };
  const { name, value } = ownerRecord(host, account_id);
  try {
    const named = await services.resolveTexts(name);
    return { failure: named.includes(value) ? null : 'no_record', named };
  } catch {
    return { failure: 'unreachable', named: [] };
  }
}

/**
 * Asks a host for the proof, over http like those who issue certificates: it has no certificate before it is verified. The answer must come
 * from the host itself, which may lead to https.
 */
async function probe(services: Services, host: string): Promise<PortalHostFailure | null> {
  const nonce = newNonce();
  // The port of https answers no http.
  const origin = services.publicUrl.startsWith('https:') ? `http://${host}` : portalUrlOf(services.publicUrl, host);
  const page = await services.readPage(`${origin}${PROOF_PATH}${nonce}`);
  if (page === 'unreachable' || page === 'refused') return page;
  const isProven =
    typeof page !== 'string' && new URL(page.url).hostname === host && page.html === proofOf(services, host, nonce);
  return isProven ? null : 'wrong_answer';
}

/** Leaves a host alone that was changed during the check. Another account loses the name at once when its holder names it no more. */
async function record({ database, clock }: Services, due: Due, { failure, named }: Finding): Promise<void> {
  const now = toInstant(clock.now());
  const failing_since = failure === null ? null : (due.failing_since ?? now);
  const isOver = failing_since !== null && plusMilliseconds(failing_since, GRACE_MS) <= now;
  const verified_at = failure === null ? (due.verified_at ?? now) : isOver ? null : due.verified_at;
  await database.transaction(async (_em, db) => {
    if (failure === null) {
      await db
        .updateTable('portal_host')
        .set({ verified_at: null, failure: 'taken', failing_since: now })
        .where('host', '=', due.host)
        .where('verified_at', 'is not', null)
        .where('account_id', 'not in', [due.account_id, ...named])
        .execute();
    }
    await db
      .updateTable('portal_host')
      .set({ verified_at, failure, failing_since, check_at: plusMilliseconds(now, waitMs(due, failure, now)) })
      .where('account_id', '=', due.account_id)
      .where('host', '=', due.host)
      .execute();
  });
}

function waitMs({ created_at }: Due, failure: PortalHostFailure | null, now: Instant): number {
  if (failure === null) return DAY_MS;
  return plusMilliseconds(created_at, HOUR_MS) > now ? MINUTE_MS : HOUR_MS;
}
