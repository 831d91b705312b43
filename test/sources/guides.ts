/** The lines of a provider's guide by which a merchant names who sent the customer. */
import { runInNewContext } from 'node:vm';
import { retryPspEvents } from '@affiliate/core';
import { expect, it } from 'vitest';
import { blocksOf } from '../readme/manuals.ts';
import { refer } from '../support/program.ts';
import { answered } from '../support/rest.ts';
import type { AttacksOn } from './attacks.ts';
import type { Shop } from './stories.ts';

/** Takes what a line passes to the provider. */
type Say = (custom: Record<string, string>) => void;

interface GuideOf<Of> extends Pick<AttacksOn<Of>, 'open' | 'sell'> {
  /** Name of the guide in `docs`. */
  guide: string;
  /** The names that the lines use, beside the script's `window.affiliate`, and on a server `referral`. */
  names: (say: Say) => Record<string, unknown>;
}

/** Declares a test of each block of JavaScript in a guide: run as it is printed, it names the referral with which the checkout then sells. */
export function tellGuide<Event, Of extends Shop<Event>>({ guide, open, sell, names }: GuideOf<Of>): void {
  const blocks = blocksOf(`docs/${guide}.md`).filter(({ language }) => language === 'js');
  it('has lines to paste', () => expect(blocks).not.toEqual([]));

  it.each(blocks)('earns by the line that the guide prints: $code', async ({ code }) => {
    const shop = await open();
    const { id: referral } = await refer(shop.account, shop.friends);
    shop.pass();
    const said: Record<string, string>[] = [];
    const known = { referral, window: { affiliate: { referral } } };
    await runInNewContext(`(async () => { ${code} })()`, { ...known, ...names((custom) => void said.push(custom)) });
    expect(said).toHaveLength(1);
    sell(shop, said[0]!);
    for (const event of shop.events) answered(shop.accepted, await shop.deliver(event));
    await retryPspEvents(shop.service.services);
    const { body } = await shop.account.api.get<{ data: object[] }>('/commissions');
    expect(body.data).toMatchObject([{ referral_id: referral }]);
  });

  it('says which line a sale of nobody lacked', async () => {
    const shop = await open();
    sell(shop, {});
    for (const event of shop.events) answered(shop.accepted, await shop.deliver(event));
    await retryPspEvents(shop.service.services);
    const { body } = await shop.account.api.get<{ data: object[] }>('/sales', { expand: 'missing' });
    const { namingLine } = shop.service.services.sources.get(String(shop.connection['source']))!;
    expect(namingLine).toContain('referral');
    expect(body.data).toMatchObject([{ missing: { way: 'payment', fixes: [{ kind: 'code', text: namingLine }] } }]);
  });
}
