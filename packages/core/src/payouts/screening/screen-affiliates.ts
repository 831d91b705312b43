/**
 * Compares affiliates who are to be paid with what their accounts have chosen (docs/rules/payouts.md#screening).
 *
 * An affiliate is paid only while a screening of the current name, payout methods and lists has cleared it (`IS_UNCLEARED`), which each payment asks in its
 * own transaction. So a process that dies here only leaves affiliates who are not paid yet.
 */
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { ScreenerKind } from '../../identity/accounts/account.entity.ts';
import { lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { isOfNow } from '../../ledger/payouts/payout-screening.entity.ts';
import { recordScreening } from '../../ledger/payouts/payout-screening.transitions.ts';
import { resumeScreened } from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx, Services, WriteCtx } from '../../platform/call/context.ts';
import { serviceLock } from '../../platform/call/locks.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { OutsideError } from '../../platform/operations/operation.ts';
import { Failures } from '../../platform/sweeps/failures.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import {
  methodVersions,
  openAddresses,
  type SealedAddresses,
  sealedAddresses,
} from '../../program/payout-methods/payout-addresses.ts';
import type { Verdict, Screener } from '../port/screener.ts';
import { tellOfHit } from '../sending/tell-of-trouble.ts';
import { LISTS } from './lists/lists.ts';

/** All that affiliates can be compared with, by kind. */
const SCREENERS: Readonly<Record<ScreenerKind, Screener>> = { lists: LISTS };

/** Affiliates that are found by one statement. */
const BATCH = 100;
/** Time after which an affiliate without an answer is compared again. */
const AGAIN_MS = 3_600_000;

/** Name of the lock under which lists change, and their state is noted. Otherwise an old state could replace a new one. */
export const VERSIONS = 'screening versions';

/** Notes the current state of all lists in the accounts that compare affiliates with them. From then on, nobody is cleared against another state. */
export async function renewVersions(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await serviceLock(ctx.db, VERSIONS);
  for (const [kind, screener] of Object.entries(SCREENERS)) {
    const version = await screener.version(ctx);
    await sql`update account set screening_version = ${version} where payout_screening = ${kind} and screening_version <> ${version}`.execute(
      ctx.db,
    );
  }
}

interface Due {
  affiliate_id: string;
  account_id: string;
}

/**
 * Compares all affiliates who have unpaid payouts and were not compared yet. Several processes may do this at the same time.
 *
 * @throws the first failure, after all others have been tried
 */
export async function screenAffiliates(services: Services, mustStop: MustStop = () => false): Promise<void> {
  const db = services.database.kysely;
  const failures = new Failures(services, 'affiliate not screened; will be continued');
  let after = '';
  const { rows: accounts } = await sql`select from account where payout_screening is not null limit 1`.execute(db);
  if (accounts.length === 0) return;
  await services.database.transaction((tx) => renewVersions({ db: tx, now: toInstant(services.clock.now()) }));
  for (;;) {
    const { rows } = await sql<Due>`
      select affiliate.id as affiliate_id, affiliate.account_id
      from account join affiliate on affiliate.account_id = account.id
        left join payout_screening current on current.affiliate_id = affiliate.id and not current.superseded
      where account.screening_version is not null and affiliate.erased_at is null
        and exists (select from payout where payout.affiliate_id = affiliate.id and payout.status in ('open', 'processing'))
        and (current.id is null or current.version <> account.screening_version or not ${isOfNow('current')}
          or (current.result = 'unavailable' and current.screened_at <= ${plusMilliseconds(toInstant(services.clock.now()), -AGAIN_MS)}::timestamptz))
        and affiliate.id > ${after}
      order by affiliate.id limit ${BATCH}`.execute(db);
    if (rows.length === 0) break;
    for (const due of rows) {
      if (mustStop()) return;
      after = due.affiliate_id;
      await failures.attempt({ ...due }, () => screenAffiliate(services, due));
    }
  }
  failures.throwFirst();
}

async function screenAffiliate(services: Services, { account_id, affiliate_id }: Due): Promise<void> {
  const ctx = systemContext(services, account_id, affiliate_id);
  const person = await findPerson(ctx, affiliate_id);
  if (person === null) return;
  const verdict = await verdictOn(ctx, person);
  await inTransaction(ctx, async (tx) => {
    const held = await lockAffiliate(tx, affiliate_id);
    // The verdict does not hold for another name, another address or other lists. The next pass compares those.
    if (!isDeepStrictEqual(await findPerson(tx, affiliate_id), person)) return;
    const { screening, isNew } = await recordScreening(tx, held, { affiliate_id, ...person, ...verdict });
    if (!screening.held) {
      await resumeScreened(tx, held, affiliate_id);
      tx.afterCommit(() => services.jobs.send('payout_attempts'));
    } else if (isNew) await tellOfHit(tx, screening);
  });
}

/** The parts of an affiliate that are compared, and the state of the lists with which they are. */
interface Person {
  kind: ScreenerKind;
  version: string;
  first_name: string | null;
  last_name: string | null;
  method_versions: [string, number][] | null;
  /** The name of the affiliate, and those of the holders of accounts. Empty if none is known. */
  names: string[];
}

/** Returns null if the account compares nobody. */
async function findPerson(
  { db, accountId, services }: Pick<WriteCtx, 'db' | 'accountId' | 'services'>,
  id: string,
): Promise<Person | null> {
  const { rows } = await sql<Omit<Person, 'names'> & { sealed_addresses: SealedAddresses }>`
    select payout_screening as kind, screening_version as version, first_name, last_name,
      ${sql.raw(sealedAddresses('affiliate'))} as sealed_addresses, ${sql.raw(methodVersions('affiliate.id'))} as method_versions
    from affiliate join account on account.id = affiliate.account_id
    where affiliate.account_id = ${accountId} and affiliate.id = ${id} and screening_version is not null`.execute(db);
  if (rows.length === 0) return null;
  const { sealed_addresses, ...person } = rows[0]!;
  const holders = Object.values(openAddresses(services.secrets, sealed_addresses)).map(({ account_holder }) => account_holder);
  const all = [[person.first_name, person.last_name].filter(Boolean).join(' '), ...holders];
  const names = [...new Set(all.flatMap((name) => (name === undefined || name.trim() === '' ? [] : [name.trim()])))];
  return { ...person, names };
}

/** Compares a person. Nobody is cleared without a name or an answer. */
async function verdictOn(ctx: Pick<Ctx, 'db' | 'now' | 'services'>, { kind, names }: Person): Promise<Verdict> {
  const unavailable: Verdict = { result: 'unavailable', lists: [], matches: [] };
  if (names.length === 0) return unavailable;
  try {
    return await SCREENERS[kind].screen(ctx, names);
  } catch (err) {
    if (!(err instanceof OutsideError)) throw err;
    ctx.services.log.warn({ err, kind }, 'the screening has no answer');
    return unavailable;
  }
}
