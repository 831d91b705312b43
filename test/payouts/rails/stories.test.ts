/**
 * The stories of `stories.ts` through the doubles of all rails, in every way in which the service may work: one worker, two at once, and a worker that dies
 * between any two steps of a transaction or a request. Nothing is paid twice, nothing is lost, and each story ends to the cent.
 *
 * The ordinary run tells each story on one rail, by one worker, and by two or with a death. THOROUGH=on tells all, with some deaths. PAYMENT_DEATHS=all tries every
 * moment, PAYMENT_DEATHS=7 so many of them, and PAYMENT_RAIL=wise one rail.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../support/random.ts';
import { SEED } from '../../support/seed.ts';
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
      (THOROUGH || ASKED !== undefined || (number + SEED) % RAILS.length === RAILS.indexOf(rail)),
  );
  let at: RailService;

  beforeAll(async () => {
    at = await startRailService(rail);
  });
  afterAll(() => at.stop());

  const tell = async (story: Story, way: Way) => {
    const scene = new Scene(at, await RailMerchant.open(at), way, `${story.title} (${JSON.stringify(way)})`);
    await story.tell(scene, await scene.watch.add('ada'));
    const { moments, isPaidTwice } = scene;
    return { moments, isPaidTwice, ...(await scene.end()) };
  };
  const assertOver = ({ isPaidTwice, paid, earned, contradictions, discrepancies }: Awaited<ReturnType<typeof tell>>) => {
    if (isPaidTwice) expect(discrepancies).toMatchObject([{ code: 'paid_twice' }]);
    else expect({ paid, contradictions, discrepancies }).toEqual({ paid: earned, contradictions: [], discrepancies: [] });
  };

  it.each(told)('$numbers $title', { timeout: 1_200_000 }, async (story) => {
    const undisturbed = await tell(story, 'alone');
    const { moments } = undisturbed;
    assertOver(undisturbed);
    const isInTurn = (turn: number) => THOROUGH || ASKED !== undefined || (story.numbers[0]! + SEED) % 2 === turn;
    const ways: Way[] = isInTurn(0) ? ['two at once'] : [];
    const random = new Random(SEED + story.numbers[0]!);
    const all = Array.from({ length: moments }, (_, moment) => moment);
    const deaths = DEATHS >= moments ? all : Array.from({ length: DEATHS }, () => random.pick(all)!);
    if (isInTurn(1)) ways.push(...deaths.map((diesAfter) => ({ diesAfter })));
    for (const way of ways) assertOver(await tell(story, way));
    expect(moments).toBeGreaterThan(0);
  });
});
