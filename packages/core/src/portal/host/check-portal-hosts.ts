import { sql } from 'kysely';
import { portalUrlOf } from '../../identity/branding/branding.ts';
import type { Services } from '../../platform/call/context.ts';
import { claimDue } from '../../platform/db/claim.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { isViolationOf } from '../../platform/errors/constraints.ts';
import { Failures, Leftovers } from '../../platform/sweeps/failures.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { newNonce, ownerRecord, PROOF_PATH, proofOf, type PortalHostFailure } from './portal-host.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How long the checks of a verified host may fail before the portal stops using the host. */
const GRACE_MS = 3 * DAY_MS;
/** Duration of a lease on a check. If the process dies, the check is repeated after this time. */
const LEASE_MS = 2 * MINUTE_MS;
const BATCH = 10;

type Due = Pick<TableRow<'portal_host'>, 'account_id' | 'host' | 'verified_at' | 'failing_since' | 'created_at'>;

/**
 * Checks the hosts whose check is due (docs/rules/portal.md#portal-hosts). Several processes may run this at once. Returns the number of checks.
 *
 * @throws the first failure, after all other hosts have been tried
 */
export async function checkPortalHosts(services: Services, mustStop: () => boolean = () => false): Promise<number> {
  const left = new Leftovers();
  const failures = new Failures(services, 'portal host not checked; will be retried');
  let checked = 0;
  while (!mustStop()) {
    const { rows, mayBeMore } = await claim(services, left);
    await Promise.all(rows.map((one) => failures.attempt({ account_id: one.account_id }, () => check(services, one))));
    checked += rows.length;
    if (!mayBeMore) break;
  }
  left.throwCause();
  failures.throwFirst();
  return checked;
}

function claim(services: Services, left: Leftovers) {
  const now = toInstant(services.clock.now());
  return claimDue(
    services,
    {
      table: 'portal_host',
      key: ['account_id'],
      isDue: sql`check_at <= ${now}::timestamptz`,
      order: 'check_at',
      limit: BATCH,
      set: sql`check_at = ${plusMilliseconds(now, LEASE_MS)}::timestamptz`,
      returning: sql<Due>`account_id, host, verified_at, failing_since, created_at`,
    },
    left,
  );
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
  /** Texts of the host's TXT records, which hold the ids of accounts. */
  named: readonly string[];
}

/**
 * Checks that a host leads to this installation and that its TXT record names the account. The record is needed because any account of this
 * installation could claim a host that leads here.
 */
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
 * Asks a host for the proof that it leads to this installation. Uses http, because a host gets its certificate only after the host is verified.
 * The final answer must come from the host itself; a redirect to its https address is followed.
 */
async function probe(services: Services, host: string): Promise<PortalHostFailure | null> {
  const nonce = newNonce();
  // If PUBLIC_URL uses https, its port (if any) does not answer http, so the request goes to port 80.
  const origin = services.publicUrl.startsWith('https:') ? `http://${host}` : portalUrlOf(services.publicUrl, host);
  const page = await services.readPage(`${origin}${PROOF_PATH}${nonce}`);
  if (page === 'unreachable' || page === 'refused') return page;
  const isProven =
    typeof page !== 'string' && new URL(page.url).hostname === host && page.html === proofOf(services, host, nonce);
  return isProven ? null : 'wrong_answer';
}

/**
 * Stores the result of a check, unless the account's host was changed during the check. A successful check takes the host at once from any other
 * account that uses it, unless a TXT record of the host still names that other account.
 */
async function record({ database, clock }: Services, due: Due, { failure, named }: Finding): Promise<void> {
  const now = toInstant(clock.now());
  const failing_since = failure === null ? null : (due.failing_since ?? now);
  const isOver = failing_since !== null && plusMilliseconds(failing_since, GRACE_MS) <= now;
  const verified_at = failure === null ? (due.verified_at ?? now) : isOver ? null : due.verified_at;
  await database.transaction(async (db) => {
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
