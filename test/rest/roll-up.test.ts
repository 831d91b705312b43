import { rollUpClicks } from '@affiliate/core';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { type Program, program } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';

const service = useService({ trustedProxies: 1 });
let client: Client;

beforeAll(async () => {
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
});
afterAll(() => client.end());

async function click(account: TestAccount, { link }: Program): Promise<void> {
  const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' };
  const reply = await send(`${service.url}/t/${link.token}`, 'GET', { query: `account_id=${account.id}`, headers });
  expect(reply.status).toBe(302);
}

/** Returns the clicks that are rolled up, per hour and per day. */
async function rolledUp({ id }: TestAccount): Promise<{ hours: number[]; days: number[] }> {
  const counts = async (table: string, time: string) => {
    const { rows } = await client.query<{ clicks: string }>(
      `select clicks from ${table} where account_id = $1 and dimension = 'all' order by ${time}`,
      [id],
    );
    return rows.map(({ clicks }) => Number(clicks));
  };
  return { hours: await counts('click_rollup', 'hour'), days: await counts('click_rollup_day', 'day') };
}

it('clicks of an account that cannot be rolled up hold up no other account, and are rolled up later', async () => {
  const accounts = [await service.createAccount(), await service.createAccount(), await service.createAccount()] as const;
  const broken = accounts[1];
  service.clock.set('2027-03-01T08:30:00.000Z');
  const programs = [await program(accounts[0]), await program(accounts[1]), await program(accounts[2])] as const;
  // Clicks in three hours. The day ends two hours after the last of them.
  for (const hours of [6, 6, 30]) {
    for (const [index, account] of accounts.entries()) await click(account, programs[index]!);
    service.clock.advance(hours, 'hours');
  }
  await client.query(
    `create function fail_roll_up() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
     create trigger fail_roll_up before insert on click_rollup for each row
       when (new.account_id = '${broken.id}' and new.hour = '2027-03-01T14:00:00Z') execute function fail_roll_up()`,
  );
  await expect(rollUpClicks(service.services)).rejects.toThrow('broken');
  const complete = { hours: [1, 1, 1], days: [3] };
  expect(await rolledUp(accounts[0])).toEqual(complete);
  expect(await rolledUp(accounts[2])).toEqual(complete);
  expect((await rolledUp(broken)).hours).toEqual([1, 1]);

  await client.query('drop function fail_roll_up cascade');
  await rollUpClicks(service.services);
  expect(await rolledUp(broken)).toEqual(complete);
  expect(await rollUpClicks(service.services)).toBe(0);
});

it('a day of an account that cannot be rolled up holds up no other account, and is rolled up later', async () => {
  const accounts = [await service.createAccount(), await service.createAccount()] as const;
  const programs = [await program(accounts[0]), await program(accounts[1])] as const;
  for (const [index, account] of accounts.entries()) await click(account, programs[index]!);
  service.clock.advance(2, 'days');
  await client.query(
    `create function fail_roll_up() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
     create trigger fail_roll_up before insert on click_rollup_day for each row
       when (new.account_id = '${accounts[1].id}') execute function fail_roll_up()`,
  );
  await expect(rollUpClicks(service.services)).rejects.toThrow('broken');
  expect(await rolledUp(accounts[0])).toEqual({ hours: [1], days: [1] });
  expect((await rolledUp(accounts[1])).days).toEqual([]);

  await client.query('drop function fail_roll_up cascade');
  await rollUpClicks(service.services);
  expect(await rolledUp(accounts[1])).toEqual({ hours: [1], days: [1] });
});
