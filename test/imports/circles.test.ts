/** A tool that names a page again, or answers every page with the same entries: the import ends with its reason. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TOOLS } from '../../packages/core/src/imports/tools.ts';
import { Carousel, ROUND } from '../support/carousel.ts';
import { useAccount, useService } from '../support/suite.ts';
import { Mover } from './moving.ts';

const service = useService();
const account = useAccount(service);
let double: Carousel;
beforeAll(async () => {
  double = await new Carousel().start();
});
afterAll(() => double.stop());

const hundred = (turn: number) => Array.from({ length: 100 }, (_, i) => ({ id: `${turn}-${i}` }));

/** The pages of the first list of each tool. */
const PAGES: Record<string, (turn: number) => unknown> = {
  partner_stack: (turn) => ({ data: { has_more: true, items: [{ key: `grup_${turn}` }] } }),
  tolt: (turn) => ({ has_more: true, data: [{ id: `part_${turn}` }] }),
  rewardful: (turn) => ({ pagination: { next_page: turn + 1 }, data: [{ id: `camp_${turn}` }] }),
  dub: hundred,
  first_promoter: (turn) => [{ id: turn }],
};

it('is one of the tools with an API', () => {
  expect(Object.keys(PAGES).toSorted()).toEqual(Object.keys(TOOLS).toSorted());
});

it.each(Object.keys(PAGES))('fails an import from %s, and is not read for ever', async (source) => {
  double.pageAt = PAGES[source]!;
  service.services.imports = { apiBases: { [source]: double.url }, pauseMs: 0 };
  const before = double.requests.length;
  const read = await new Mover(service, account).read({
    source,
    credentials: TOOLS[source as keyof typeof TOOLS].secondPart === null ? 'key' : 'key:1',
  });
  expect(read).toMatchObject({ state: 'failed', failure: 'goes_round' });
  expect(double.requests.length - before).toBeLessThanOrEqual(4 * ROUND);
});

it('fails an import whose empty pages lead to one another', async () => {
  double.pageAt = (turn) => ({ pagination: { next_page: (turn % 3) + 1 }, data: [] });
  service.services.imports = { apiBases: { rewardful: double.url }, pauseMs: 0 };
  const reading = new Mover(service, account).read({ source: 'rewardful', credentials: 'key' });
  const read = await Promise.race([reading, setTimeout(8_000, { state: 'reading' })]);
  expect(read).toMatchObject({ state: 'failed', failure: 'goes_round' });
});
