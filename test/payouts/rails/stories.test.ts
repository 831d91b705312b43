/**
 * The stories of `stories.ts` through the doubles of all rails, in every way in which the service may work: one worker, two at once, and a worker that dies
 * between any two steps of a transaction or a request. Nothing is paid twice, nothing is lost, and each story ends to the cent.
 *
 * The ordinary run tells each story on one rail, by one worker, and by two or with a death. THOROUGH=on tells all, with some deaths. PAYMENT_DEATHS=all tries every
 * moment, PAYMENT_DEATHS=7 so many of them, and PAYMENT_RAIL=wise one rail.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../support/random.ts';
import { SAMPLE_SEED, SEED } from '../../support/seed.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { RailMerchant, RAILS, type RailService, startRailService } from './merchant.ts';
import { Scene, type Story, STORIES, type Way } from './stories.ts';

const ASKED = process.env['PAYMENT_DEATHS'];
const DEATHS = ASKED === 'all' ? Number.POSITIVE_INFINITY : Number(ASKED ?? (THOROUGH ? 3 : 1));
const CHOSEN = RAILS.filter(({ kind }) => (process.env['PAYMENT_RAIL'] ?? kind) === kind);

describe.each(CHOSEN)('$name', (rail) => {
  const told = STORIES.filter(
    ({ not }, number) =>
      not?.[rail.kind] === undefined &&
      (THOROUGH || ASKED !== undefined || (number + SAMPLE_SEED) % RAILS.length === RAILS.indexOf(rail)),
  );
  /** Services that tell stories at the same time. */
  let services: RailService[];
  let deathsTold = 0;

  beforeAll(async () => {
    services = await Promise.all(Array.from({ length: ASKED === undefined ? 1 : 4 }, () => startRailService(rail)));
  });
  afterAll(async () => {
    if (ASKED !== undefined) process.stdout.write(`${rail.name}: ${deathsTold} deaths in ${told.length} stories\n`);
    await Promise.all(services.map((at) => at.stop()));
  }, 300_000);

  const tell = async (at: RailService, story: Story, way: Way) => {
    const merchant = await RailMerchant.open(at);
    const scene = new Scene(at, merchant, way, `${story.title} (${JSON.stringify(way)})`);
    await story.tell(scene, await scene.watch.add('ada'));
    const { moments, isPaidTwice } = scene;
    const outcome = { moments, isPaidTwice, ...(await scene.end()) };
    // Otherwise the workers of the next stories would watch these payments, too, and die there.
    const attempts = at.service.services.database.kysely.updateTable('payout_attempt').set({ lease_until: null });
    await attempts.where('account_id', '=', merchant.account.id).execute();
    return outcome;
  };
  const assertOver = ({ isPaidTwice, paid, earned, contradictions, discrepancies }: Awaited<ReturnType<typeof tell>>) => {
    if (isPaidTwice) expect(discrepancies).toMatchObject([{ code: 'paid_twice' }]);
    else expect({ paid, contradictions, discrepancies }).toEqual({ paid: earned, contradictions: [], discrepancies: [] });
  };

  it.each(told)('$numbers $title', { timeout: 7_200_000 }, async (story) => {
    const undisturbed = await tell(services[0]!, story, 'alone');
    const { moments } = undisturbed;
    assertOver(undisturbed);
    const isInTurn = (turn: number) => THOROUGH || ASKED !== undefined || (story.numbers[0]! + SAMPLE_SEED) % 2 === turn;
    const ways: Way[] = isInTurn(0) ? ['two at once'] : [];
    const random = new Random(SEED + story.numbers[0]!);
    const all = Array.from({ length: moments }, (_, moment) => moment);
    const deaths = DEATHS >= moments ? all : Array.from({ length: DEATHS }, () => random.pick(all)!);
    if (isInTurn(1)) ways.push(...deaths.map((diesAfter) => ({ diesAfter })));
    const left = ways.values();
    await Promise.all(
      services.map(async (at) => {
        for (const way of left) assertOver(await tell(at, story, way));
      }),
    );
    deathsTold += isInTurn(1) ? deaths.length : 0;
    expect(moments).toBeGreaterThan(0);
  });
});
