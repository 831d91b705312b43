import { advanceImports } from '@affiliate/core';
import { CompiledQuery } from 'kysely';
import { expect } from 'vitest';
import type { Fields } from '../support/http.ts';
import type { TestAccount, TestService } from '../support/service.ts';

interface Count {
  kind: string;
  outcome: string | null;
  count: number;
  done: number;
}

interface Total {
  kind: string;
  currency: string | null;
  state: string;
  count: number;
  source_cents: number;
  here_cents: number;
}

export interface Moved extends Fields {
  id: string;
  state: string;
  counts: Count[];
  totals: Total[];
}

export interface ReadRow extends Fields {
  kind: string;
  source_id: string;
  outcome: string;
  reason: string | null;
  detail: string | null;
  record_id: string | null;
}

const PATH = '/api/settings/v1/imports';

/** The imports of an account, whose job runs in this process when a test says so. */
export class Mover {
  readonly #service: TestService;
  readonly #account: Pick<TestAccount, 'id' | 'api'>;

  constructor(service: TestService, account: Pick<TestAccount, 'id' | 'api'>) {
    this.#service = service;
    this.#account = account;
  }

  begin<Body = Moved>(body: Fields) {
    return this.#account.api.send<Body>('POST', PATH, { body });
  }

  act<Body = Moved>(id: string, act: 'run' | 'stop' | 'undo', body: Fields = {}) {
    return this.#account.api.send<Body>('POST', `${PATH}/${id}/${act}`, { body });
  }

  /** Adds a part of a file. */
  add<Body = Moved>(id: string, body: Fields) {
    return this.#account.api.send<Body>('POST', `${PATH}/${id}/parts`, { body });
  }

  advance(mustStop?: () => boolean): Promise<void> {
    return advanceImports(this.#service.services, mustStop);
  }

  async get(id: string): Promise<Moved> {
    return (await this.#account.api.get<Moved>(`${PATH}/${id}`)).body;
  }

  async rows(id: string, query = ''): Promise<ReadRow[]> {
    return (await this.#account.api.get<{ data: ReadRow[] }>(`${PATH}/${id}/rows?limit=100${query}`)).body.data;
  }

  /** Begins an import and lets it be read and checked. */
  async read(body: Fields): Promise<Moved> {
    const { status, body: begun, text } = await this.begin(body);
    if (status !== 201) throw new Error(text);
    await this.advance();
    return this.get(begun.id);
  }

  /** Runs an import to its end. */
  async run(id: string, body: Fields = {}): Promise<Moved> {
    const { status, text } = await this.act(id, 'run', body);
    if (status !== 200) throw new Error(text);
    await this.advance();
    return this.get(id);
  }

  /** Reads and runs an import that is stopped after every few parts. */
  async runInParts(body: Fields): Promise<{ id: string; turns: number }> {
    const { body: begun } = await this.begin(body);
    for (let turns = 1; ; turns += 1) {
      let left = 1 + (turns % 3);
      await this.advance(() => (left -= 1) < 0);
      const { state } = await this.get(begun.id);
      if (state === 'ready') await this.act(begun.id, 'run');
      if (state === 'done') return { id: begun.id, turns };
    }
  }

  async list<Row extends Fields>(path: string): Promise<Row[]> {
    return (await this.#account.api.get<{ data: Row[] }>(path)).body.data;
  }
}

/**
 * Makes an import, undoes it, makes it again in parts, and lets it read its source again: what is made is always the same.
 *
 * @returns what is made
 */
export async function makeAgain(mover: Mover, body: Fields, made: () => Promise<string[]>): Promise<string[]> {
  const before = await made();
  const whole = await mover.read(body);
  await mover.run(whole.id);
  const expected = await made();
  await mover.act(whole.id, 'undo');
  await mover.advance();
  expect(await made()).toEqual(before);
  const { id, turns } = await mover.runInParts(body);
  expect(turns).toBeGreaterThan(10);
  expect(await made()).toEqual(expected);
  expect(await mover.run(id, { credentials: body['credentials'] })).toMatchObject({ state: 'done' });
  expect(await made()).toEqual(expected);
  return expected;
}

/** Returns the outcomes of an import as texts, e.g. `affiliate new 3/3`: 3 affiliates, of which 3 are done. */
export function outcomesOf({ counts }: Moved): string[] {
  return counts.map(({ kind, outcome, count, done }) => `${kind} ${outcome} ${done}/${count}`);
}

/** Returns the records that the import makes, as texts that do not depend on ids and times of this service. */
export async function madeIn(service: TestService, account: Pick<TestAccount, 'id'>): Promise<string[]> {
  const { rows } = await service.services.database.kysely.executeQuery<{ line: string }>(
    CompiledQuery.raw(
      `select concat_ws(' ', 'campaign', name, reward_type, commission_basis_points, commission_amount_cents, commission_amount_currency, private,
         max_commissions, days_before_referrals_expire, external_id, created_at, params) as line from campaign where account_id = $1
       union all select concat_ws(' ', 'affiliate', email, state, first_name, last_name, (select name from campaign where id = campaign_id), external_id, created_at)
         from affiliate where account_id = $1
       union all select concat_ws(' ', 'link', token, url, (select email from affiliate where id = affiliate_id), (select name from campaign where id = campaign_id), external_id) from link where account_id = $1
       union all select concat_ws(' ', 'referral', conversion_state, (select name from campaign where id = campaign_id), converted_at, expires_at, created_at, (select token from link where id = link_id),
         (select email from customer where id = customer_id), (select psp_customer_id from customer where id = customer_id), external_id)
         from referral where account_id = $1
       union all select concat_ws(' ', 'sale', names, charge_amount_cents, tax_amount_cents, refund_amount_cents, imported_refund_cents, currency, charged_at, created_at,
         (select email from affiliate where id = affiliate_id), (select external_id from referral where id = referral_id), (select email from customer where id = customer_id))
         from sale where account_id = $1
       union all select concat_ws(' ', 'commission', kind, state, amount_cents, imported_cents, currency, due_at, paid_at, voided_at, review_status, review_reason,
         external_id, created_at, (select email from affiliate where id = affiliate_id), (select names from sale where id = sale_id),
         (select coalesce(external_id, 'open') || ' ' || payout.status from payout_item item join payout on payout.id = item.payout_id where commission_id = commission.id))
         from commission where account_id = $1
       union all select concat_ws(' ', 'payout', status, amount_cents, commissions_count, currency, paid_at, external_id, (select email from affiliate where id = affiliate_id),
         (select string_agg(concat_ws(' ', method, state, amount_cents, arrived_at), ', ') from payout_attempt where payout_id = payout.id))
         from payout where account_id = $1
       union all select concat_ws(' ', 'claim', (select email from customer where id = customer_id), kind, proven) from attribution_claim where account_id = $1
       order by line`,
      [account.id],
    ),
  );
  return rows.map(({ line }) => line);
}
