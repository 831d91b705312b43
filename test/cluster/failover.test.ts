import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, startInstallation } from '../faults/storm/installation.ts';
import { Storm } from '../faults/storm/storm.ts';
import { type Standby, replicateSynchronously, startStandby } from './standby.ts';

/** Runs with `pnpm test:cluster` only. */
describe.skipIf(process.env['CLUSTER'] !== 'on')('a primary that is killed under load', () => {
  let installation: Installation;
  let standby: Standby;
  let storm: Storm;

  beforeAll(async () => {
    installation = await startInstallation();
    standby = await startStandby(installation.databaseUrl);
    await replicateSynchronously(installation.databaseUrl);
    storm = await Storm.begin(installation);
  }, 120_000);
  afterAll(async () => {
    await storm[Symbol.asyncDispose]();
    await standby.stop();
    await installation[Symbol.asyncDispose]();
  });

  it('loses no acknowledged writes, and the service continues on the promoted standby without a restart', async () => {
    const outcome = await storm.weather({
      name: 'failover',
      strike: async ({ postmasterPid, proxy }) => {
        process.kill(await postmasterPid(), 'SIGKILL');
        await standby.promote();
        // Redirects the processes to the new primary, as a floating IP address or a proxy would.
        proxy.retarget(standby.url);
        installation.databaseUrl = standby.url;
      },
    });
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
    expect(outcome).toMatchObject({ lost: 0, doubled: 0, undelivered: 0, problems: [], discrepancies: [] });
    expect(outcome.healthyMs).toBeLessThan(10_000);
    const [row] = await installation.ask<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    expect(row!.standby).toBe(false);
  }, 240_000);
});
