/**
 * Properties of decisions over random facts: the order, the repetition and the grouping of facts, and the time at which everything happens, do not
 * change the result (docs/rules/attribution.md#order-of-facts). The facts include two affiliates and campaigns whose states and terms change, links,
 * codes, unproven leads, live and test sales, refunds, disputes, exclusions and assignments by hand.
 * - DECISION_STORIES=10000 sets the number of random stories, DECISION_ORDERS=24 the number of orders of each.
 */
import { describe, expect, it } from 'vitest';
import { decide } from '../../packages/core/src/attribution/decide/decide.ts';
import { Random } from '../support/random.ts';
import { SEED } from '../support/seed.ts';
import { THOROUGH } from '../support/thorough.ts';
import { randomStory, type Story, told, type World } from './random-facts.ts';
import { seen } from './seen-verdict.ts';

const STORIES = Number(process.env['DECISION_STORIES'] ?? (THOROUGH ? 4_000 : 250));
const ORDERS = Number(process.env['DECISION_ORDERS'] ?? (THOROUGH ? 24 : 8));

/** Calls `check` with random stories, and collects the first failures. Returns the number of stories that `check` did not skip. */
function forStories(check: (story: Story, random: Random) => boolean | void, options = {}): number {
  const random = new Random(SEED);
  const failures: string[] = [];
  let checked = 0;
  for (let nth = 0; nth < STORIES && failures.length < 3; nth += 1) {
    const story = randomStory(random, options);
    try {
      if (check(story, random) !== false) checked += 1;
    } catch (error) {
      failures.push(`${String(error)}\n${JSON.stringify(story)}`);
    }
  }
  expect(failures).toEqual([]);
  return checked;
}

const copyOf = (world: World) => world.facts();

describe(`a decision, over ${STORIES} random stories`, () => {
  it(`is the same in ${ORDERS} orders of the facts, decided after each fact`, { timeout: 60_000 + STORIES * ORDERS * 5 }, () => {
    let earning = 0;
    forStories((story, random) => {
      const ending = told(story).ending();
      if (ending.some((line) => / [AB] [1-9]/.test(line))) earning += 1;
      for (let order = 1; order < ORDERS; order += 1) expect(told(story, random.shuffled(story.facts)).ending()).toEqual(ending);
    });
    if (STORIES > 1_000) process.stdout.write(`${STORIES} stories, ${earning} of which earn, in ${ORDERS} orders each\n`);
    // About a quarter of the stories earn. Of few stories, it may be a smaller part.
    expect(earning).toBeGreaterThan(STORIES / 8);
  });

  it('is the same if all facts are known at once as if they come one by one', () => {
    forStories((story) => {
      // A person assigns a sale whose decision they have seen.
      if (story.facts.some(({ kind }) => kind === 'assignment')) return false;
      const oneByOne = told(story);
      const atOnce = told({ ...story, facts: [] });
      const queue = [...story.facts];
      while (queue.length > 0) {
        const fact = queue.shift()!;
        if (!atOnce.learn(fact)) queue.push(fact);
      }
      atOnce.decide();
      expect(atOnce.ending()).toEqual(oneByOne.ending());
      return true;
    });
  });

  it('changes nothing when it is made again', () => {
    forStories((story) => {
      const world = told(story);
      const { changes } = world;
      const verdict = world.decide();
      expect(world.changes).toBe(changes);
      expect(verdict.sales.filter((each) => 'reward' in each)).toEqual([]);
    });
  });

  it('does not depend on the order of the facts in memory, or on repeated claims', () => {
    forStories((story, random) => {
      const facts = copyOf(told(story));
      const expected = seen(decide(facts));
      const [claims, sales] = [random.shuffled([...facts.claims, ...facts.claims]), random.shuffled(facts.sales)];
      expect(seen(decide({ ...facts, claims, sales }))).toEqual(expected);
    });
  });

  it('about later sales is the same from the binding alone as from all facts', () => {
    const checked = forStories((story) => {
      const world = told(story);
      const verdict = seen(decide(world.facts()));
      const windows = world.sales.flatMap(({ sale }) => world.window(sale.charged_at) ?? []);
      for (const window of windows) {
        const ofLater = ({ sales, ...rest }: ReturnType<typeof seen>) => ({
          binding: rest.binding,
          sales: sales.filter(({ sale }) => window.sales.includes(sale)),
        });
        expect(ofLater(seen(decide(window.facts)))).toEqual(ofLater(verdict));
      }
      return windows.length > 0;
    });
    expect(checked).toBeGreaterThan(STORIES / 50);
  });

  it('moves in time with its facts', () => {
    const SHIFT_MS = 37 * 86_400_000 + 3_000;
    const later = (text: string) =>
      text.replaceAll(
        /"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g,
        (_, at: string) => `"${new Date(Date.parse(at) + SHIFT_MS).toISOString()}"`,
      );
    forStories(
      (story) => {
        const facts = copyOf(told(story));
        const { affiliates, campaigns, before, ...plain } = facts;
        const sales = plain.sales.map(({ endedByHand: _, ...fact }) => fact);
        const moved = JSON.parse(
          later(JSON.stringify({ ...plain, sales, affiliates: [...affiliates.values()], campaigns: [...campaigns.values()] })),
        ) as typeof plain & { affiliates: object[]; campaigns: object[] };
        const byId = (items: object[]) => new Map(items.map((item) => [(item as { id: string }).id, item])) as never;
        const shifted = seen(
          decide({
            ...plain,
            ...moved,
            sales: moved.sales.map((fact) => ({ ...fact, endedByHand: new Map() })),
            affiliates: byId(moved.affiliates),
            campaigns: byId(moved.campaigns),
            before,
          }),
        );
        expect(JSON.stringify(shifted)).toBe(later(JSON.stringify(seen(decide(facts)))));
      },
      { hasPeriods: false },
    );
  });
});
