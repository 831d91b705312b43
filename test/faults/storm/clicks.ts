import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { send } from '../../support/http.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { type Installation, newMerchant } from './installation.ts';

/** Concurrent clicks of a burst. `CLICKS=20000` makes a burst long. */
const AT_ONCE = 16;
const CLICKS = Number(process.env['CLICKS'] ?? (THOROUGH ? 400 : 200));

let installation: Installation;
let merchant: { id: string; headers: Record<string, string> };
let token: string;

/** Clicks the link. Returns the referral in the redirect. */
async function click(cookie?: string): Promise<string | null> {
  const { status, headers } = await send(`${installation.rest.url}/t/${token}`, 'GET', {
    query: `account_id=${merchant.id}`,
    headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', ...(cookie && { Cookie: cookie }) },
  });
  expect(status).toBe(302);
  return new URL(headers.get('location')!).searchParams.get('referral');
}

/**
 * Follows the link as several visitors at once. Calls `strike` when a third of the clicks have been answered. Returns the referrals in the answers.
 */
async function burst(strike: () => Promise<unknown>): Promise<string[]> {
  const answered: string[] = [];
  let sent = 0;
  let struck: Promise<unknown> | undefined;
  const visitor = async () => {
    while (sent < CLICKS) {
      sent += 1;
      const referral = await click().catch(() => null);
      if (referral) answered.push(referral);
      if (answered.length >= CLICKS / 3) await (struck ??= strike());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, visitor));
  return answered;
}

/**
 * Counts the recorded referrals among `ids` and their recorded clicks. Also counts, in the whole database, the referrals with more than one click
 * (`uneven`).
 */
async function written(ids: readonly string[]): Promise<{ referrals: number; clicks: number; uneven: number }> {
  const [row] = await installation.ask<{ referrals: number; clicks: number; uneven: number }>(
    `select (select count(*)::int from referral where id = any($1)) as referrals,
       (select count(*)::int from click where referral_id = any($1)) as clicks,
       (select count(*)::int from (select referral_id from click group by 1 having count(*) <> 1) each) as uneven`,
    [ids],
  );
  return row!;
}

const kept = async () => {
  const { text } = await send(`${installation.rest.url}/metrics`, 'GET');
  return Number(/^affiliate_visits_kept (\d+)$/m.exec(text)![1]);
};

/**
 * Defines the tests about clicks.
 *
 * @param running returns the installation in which the faults happen, once it has been started
 */
export function describeClicks(running: () => Installation): void {
  describe('clicks', () => {
    beforeAll(async () => {
      installation = running();
      merchant = await newMerchant(installation);
      const create = async (path: string, body: object): Promise<{ id: string; token: string }> => {
        const reply = await send(`${installation.rest.url}/api/v1/${path}`, 'POST', { headers: merchant.headers, body });
        expect(reply.status).toBe(201);
        return reply.body as { id: string; token: string };
      };
      const { id: campaign_id } = await create('campaigns', {
        name: 'Friends',
        url: 'https://shop.example.com',
        reward_type: 'percent',
        commission_percent: 10,
      });
      const { id: affiliate_id } = await create('affiliates', { email: 'ada@example.com', campaign_id });
      ({ token } = await create('links', { affiliate_id, campaign_id, url: 'https://shop.example.com/start', token: 'burst' }));
    }, 120_000);
    // The previous test may have killed processes.
    beforeEach(() => installation.allUp(), 120_000);

    it('no answered click is lost when the process is killed in a burst', async () => {
      const answered = await burst(async () => {
        await installation.rest.end('SIGKILL');
        await installation.allUp();
      });
      expect(answered.length).toBeGreaterThan(CLICKS / 2);
      expect(await written(answered)).toEqual({ referrals: answered.length, clicks: answered.length, uneven: 0 });
    }, 120_000);

    it('every click is answered and written exactly once when PostgreSQL is killed in a burst', async () => {
      await click();
      const answered = await burst(async () => process.kill(await installation.postmasterPid(), 'SIGKILL'));
      expect(answered).toHaveLength(CLICKS);
      await expect.poll(kept, { timeout: 60_000 }).toBe(0);
      expect(await written(answered)).toEqual({ referrals: CLICKS, clicks: CLICKS, uneven: 0 });
    }, 120_000);

    it('a process that dies while PostgreSQL is unreachable loses exactly the clicks that it reports as kept in memory', async () => {
      await click();
      installation.proxy.cut();
      const answered = await Promise.all(Array.from({ length: 20 }, () => click()));
      expect(new Set(answered).size).toBe(20);
      expect(await kept()).toBe(20);
      await installation.rest.end('SIGKILL');
      installation.proxy.recover();
      await installation.allUp();
      expect(await written(answered as string[])).toMatchObject({ referrals: 0, clicks: 0 });
    }, 120_000);
  });
}
