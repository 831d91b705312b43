/** Imports of the same account from every source, killed at random statements (`IMPORT_KILLS`). */
import { advanceImports, type Services } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { must } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { SEED } from '../support/seed.ts';
import type { TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { sample } from '../support/thorough.ts';
import { DoomedProcesses } from './doomed.ts';
import { CAMPAIGNS, formerAccount } from './former-account.ts';
import { FORMER_TOOLS } from './former-tools.ts';
import { madeIn, Mover, outcomesOf } from './moving.ts';
import { added, comparable, differences, storedRows } from './stored-rows.ts';

/** Kills of each import. The long form (40) has the account of 200 affiliates, and all tools; the ordinary run has every other tool. */
const ASKED = process.env['IMPORT_KILLS'];
const KILLS = Number(ASKED ?? 3);
const TOOLS = ASKED === undefined ? sample(FORMER_TOOLS, 2, 0) : FORMER_TOOLS;
const AFFILIATES = KILLS >= 40 ? 200 : 15;
const TIMEOUT_MS = KILLS * 20_000;

const service = useService({ writesRows: true });

async function newAccount(withCampaigns: boolean): Promise<TestAccount> {
  const account = await service.createAccount();
  for (const name of withCampaigns ? CAMPAIGNS : [])
    await must(account, '/campaigns', {
      name,
      url: 'https://shop.example.com/',
      reward_type: 'percent',
      commission_percent: 30,
      default: name === CAMPAIGNS[0],
    });
  return account;
}

/** Lets an import go on to its end, in processes that die before random statements of the first `statements`. Returns the number of deaths. */
async function goOnWithKills(
  mover: Mover,
  id: string,
  { statements, seed }: { statements: number; seed: number },
): Promise<number> {
  const random = new Random(seed);
  const points = Array.from({ length: KILLS }, () => random.int(0, statements - 1)).toSorted((one, other) => one - other);
  const gaps = points.map((point, i) => point - (points[i - 1] ?? 0));
  await using doomed = await DoomedProcesses.start(service);
  doomed.left = gaps[0]!;
  for (let kills = 0; ;) {
    const { state } = await mover.get(id);
    if (state === 'ready') await mover.act(id, 'run');
    if (state === 'done' || state === 'undone') return kills;
    if (await doomed.survives(advanceImports)) continue;
    kills += 1;
    doomed.left = gaps[kills] ?? Infinity;
  }
}

/** Returns the number of statements that the work of an import sends. */
async function statementsOf(...steps: ((services: Services) => Promise<unknown>)[]): Promise<number> {
  await using doomed = await DoomedProcesses.start(service);
  for (const step of steps) await doomed.survives(step);
  return doomed.sent;
}

describe.each(TOOLS)('an import from $name', ({ bringsCampaigns, kinds, open }) => {
  it(
    `is the same after ${KILLS} kills, changes nothing when it is made again, and leaves nothing when it is undone`,
    async () => {
      const { body, double } = await open(formerAccount(AFFILIATES, SEED));
      const source = String(body['source']);
      service.services.imports = { apiBases: double === null ? {} : { [source]: double.url }, pauseMs: 0 };
      try {
        const [calm, hunted] = [await newAccount(!bringsCampaigns), await newAccount(!bringsCampaigns)];
        const before = await storedRows(service);
        const whole = new Mover(service, calm);
        const { body: begun } = await whole.begin(body);
        const statements = await statementsOf(advanceImports, () => whole.act(begun.id, 'run'), advanceImports);
        const done = await whole.get(begun.id);
        expect(done.state).toBe('done');
        expect(outcomesOf(done).filter((line) => !/new|existing|not_paid|skipped/.test(line))).toEqual([]);
        for (const kind of kinds) expect(outcomesOf(done).join()).toMatch(new RegExp(`${kind} new`));
        const afterWhole = await storedRows(service);

        const mover = new Mover(service, hunted);
        const { body: killed } = await mover.begin(body);
        expect(await goOnWithKills(mover, killed.id, { statements, seed: SEED })).toBe(KILLS);
        const after = await storedRows(service);
        expect(await madeIn(service, hunted)).toEqual(await madeIn(service, calm));
        expect(differences(comparable(added(before, afterWhole)), comparable(added(afterWhole, after)))).toEqual([]);
        expect((await mover.get(killed.id)).totals).toEqual(done.totals);

        const again = await mover.read(body);
        expect(outcomesOf(await mover.run(again.id)).filter((line) => !/existing|skipped/.test(line))).toEqual([]);
        if (double !== null) await mover.run(killed.id, { credentials: body['credentials'] });
        const unchanged = await storedRows(service);
        expect(differences(after, unchanged)).toEqual([]);

        const undoing = await statementsOf(() => whole.act(begun.id, 'undo'), advanceImports);
        await mover.act(killed.id, 'undo');
        expect(await goOnWithKills(mover, killed.id, { statements: undoing, seed: SEED + 1 })).toBe(KILLS);
        const undone = await storedRows(service);
        expect(differences(before, undone)).toEqual([]);
      } finally {
        await double?.stop();
      }
    },
    TIMEOUT_MS,
  );
});
