/** The switch from a former tool, in processes that die at each of its statements. */
import { advanceImports, appRouter, createCallerFactory, type Services } from '@affiliate/core';
import { CompiledQuery } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { DoomedProcesses } from './doomed.ts';
import { madeIn, Mover } from './moving.ts';
import { RewardfulServer } from './rewardful-server/rewardful-server.ts';

const service = useService({ writesRows: true });
let double: RewardfulServer;

beforeEach(async () => {
  double = await new RewardfulServer().start();
  service.services.imports = { apiBases: { rewardful: double.url }, pauseMs: 0 };
  return () => double.stop();
});

interface State {
  shadow: string;
  former_shadows: object[];
  imports: string[];
  /** Keys of the former tool that are still stored. */
  keys: number;
}

async function stateOf({ id }: TestAccount): Promise<State> {
  const { rows } = await service.services.database.kysely.executeQuery<State>(
    CompiledQuery.raw(
      `select shadow, former_shadows, array_agg(state order by data_import.id) as imports, count(sealed_input)::int as keys
       from account join data_import on account_id = account.id where account.id = $1 group by account.id`,
      [id],
    ),
  );
  return rows[0]!;
}

/** Returns an account that has moved in as a shadow, by two imports. The former tool has decided about another sale since. */
async function shadow(): Promise<{ account: TestAccount; mover: Mover }> {
  const account = await service.createAccount();
  const mover = new Mover(service, account);
  await account.api.send('POST', '/api/settings/v1/shadow', { body: {} });
  const later = double.commissions.splice(2);
  for (let i = 0; i < 2; i += 1) {
    const { id } = await mover.read({ source: 'rewardful', credentials: double.secret });
    await mover.run(id);
  }
  double.commissions.push(...later);
  return { account, mover };
}

function fill(): void {
  const campaign = double.addCampaign({ max_commission_period_months: null });
  for (let i = 0; i < 3; i += 1) double.addCommission(double.addReferral(double.addAffiliate(campaign)));
}

const end = (account: TestAccount) => (services: Services) =>
  createCallerFactory(appRouter)({
    services,
    requestId: 'switch',
    principal: { kind: 'system', account_id: account.id },
    surface: 'v1',
    reply: {},
  }).shadows.end({ imports: 'read' });

describe('the switch from the former tool', () => {
  it('is done whole or not at all when the process dies at any of its statements', async () => {
    fill();
    const { account } = await shadow();
    const before = await stateOf(account);
    expect(before).toMatchObject({ shadow: 'on', imports: ['done', 'done'], keys: 2 });
    await using doomed = await DoomedProcesses.start(service);
    const afterDeaths: State[] = [];
    for (doomed.left = 0; !(await doomed.survives(end(account))); doomed.left = afterDeaths.length)
      afterDeaths.push(await stateOf(account));
    expect(afterDeaths.length).toBeGreaterThan(8);
    expect(new Set(afterDeaths.map((state) => JSON.stringify(state)))).toEqual(new Set([JSON.stringify(before)]));
    const after = await stateOf(account);
    expect(after).toMatchObject({ shadow: 'ending', imports: ['reading', 'reading'], keys: 2 });
    expect(after.former_shadows).toHaveLength(before.former_shadows.length + 1);
    // A person who got no answer presses the button again.
    await doomed.survives(end(account));
    expect(await stateOf(account)).toEqual(after);
  });

  it('is completed once by processes that die at every statement of reading the tool once more', async () => {
    fill();
    const [calm, hunted] = [await shadow(), await shadow()];
    for (const { account } of [calm, hunted]) await end(account)(service.services);
    const ended = (await stateOf(hunted.account)).former_shadows;
    // The imports of both accounts go on: that of the first one without deaths.
    await using doomed = await DoomedProcesses.start(service);
    const afterDeaths: State[] = [];
    for (doomed.left = 0; !(await doomed.survives(advanceImports)); doomed.left = afterDeaths.length)
      afterDeaths.push(await stateOf(hunted.account));
    expect(afterDeaths.length).toBeGreaterThan(20);
    // Nothing is paid before both imports have all that was decided there, and the last one to end deletes its key.
    const isRight = ({ shadow: state, imports, keys }: State) =>
      (state === 'off') === imports.every((each) => each === 'done') && keys >= imports.filter((each) => each !== 'done').length;
    expect(afterDeaths.filter((state) => !isRight(state))).toEqual([]);
    for (const { account } of [calm, hunted]) {
      expect(await stateOf(account)).toMatchObject({ shadow: 'off', imports: ['done', 'done'], keys: 0 });
      expect((await madeIn(service, account)).filter((line) => line.startsWith('commission'))).toHaveLength(3);
    }
    expect(await madeIn(service, hunted.account)).toEqual(await madeIn(service, calm.account));
    expect((await stateOf(hunted.account)).former_shadows).toEqual(ended);
    const completed = await hunted.mover.list('/events?type=import.completed&limit=100');
    expect(completed).toHaveLength(4);
  });
});
