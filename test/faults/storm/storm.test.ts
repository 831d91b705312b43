import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeClicks } from './clicks.ts';
import { FAULTS, SHORT_FAULTS } from './faults.ts';
import { type Installation, startInstallation } from './installation.ts';
import { KILL_FAULTS } from './kills.ts';
import { type Outcome, Storm } from './storm.ts';

/** FAULTS=all (`pnpm test:faults`) runs every fault and prints a table of the outcomes. */
const all = process.env['FAULTS'] === 'all';
/** Sales before and after the fault, in the ordinary run. */
const SHORT_CALM_SALES = 30;
const only = new RegExp(process.env['FAULT'] ?? '');

let installation: Installation;
let storm: Storm;

beforeAll(async () => {
  installation = await startInstallation({ kills: all, smallDisk: all });
  storm = await Storm.begin(installation, all ? {} : { calmSales: SHORT_CALM_SALES });
  if (all) process.stdout.write(HEAD);
}, 900_000);
afterAll(async () => {
  await storm[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
});

// Must come first, because these tests count all clicks in the database.
describeClicks(() => installation);

it.for((all ? [...FAULTS, ...KILL_FAULTS] : SHORT_FAULTS).filter(({ name }) => only.test(name)))(
  'nothing is lost or doubled: $name',
  { timeout: 600_000 },
  async (fault, { skip }) => {
    const obstacle = fault.obstacle?.(installation) ?? null;
    skip(obstacle !== null, obstacle ?? undefined);
    const outcome = await storm.weather(fault);
    if (all) process.stdout.write(line(outcome));
    expect(outcome).toMatchObject({ lost: 0, doubled: 0, undelivered: 0, problems: [], discrepancies: [] });
  },
);

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);

const HEAD = `
| Fault | Sales | Other items | Kills | Lost | Doubled | No response | Asked to repeat | Other failures | Webhooks lost | Webhooks repeated | Healthy after (s) | Longest gap (s) | Other items done after (s) |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
`;

/** Formats an outcome as a table row. */
function line(row: Outcome): string {
  const resumed = row.resumedMs === null ? '' : seconds(row.resumedMs);
  return `| ${row.fault} | ${row.sales} | ${row.items} | ${row.kills} | ${row.lost} | ${row.doubled} | ${row.unanswered} | ${row.refused} | ${row.problems.length} | ${row.undelivered} | ${row.repeated} | ${seconds(row.healthyMs)} | ${seconds(row.gapMs)} | ${resumed} |\n`;
}
