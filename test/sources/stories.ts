/** Stories of a shop that sells with a payment provider, told in several orders of events. */
import { findLostEvents, retryPspEvents } from '@affiliate/core';
import { expect, it } from 'vitest';
import type { Fields, Reply } from '../support/http.ts';
import type { Program } from '../support/program.ts';
import { answered } from '../support/rest.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { sample, THOROUGH } from '../support/thorough.ts';

export type Connected = Fields & { id: string };

/** A merchant with a double of the provider. */
export abstract class Shop<Event> {
  readonly service: TestService;
  readonly account: TestAccount;
  readonly friends: Program;
  readonly connection: Connected;
  readonly events: Event[] = [];
  /** Status of the answer to a delivery. */
  readonly accepted: number = 200;

  constructor(service: TestService, account: TestAccount, friends: Program, connection: Connected) {
    this.service = service;
    this.account = account;
    this.friends = friends;
    this.connection = connection;
  }

  abstract deliver(event: Event): Promise<Reply>;

  /** The secret that signs the deliveries of the connection. */
  abstract get secret(): string;

  /** Returns the headers of a delivery that a secret signs at a time. */
  abstract headersOf(body: string, secret: string, at: Date): Record<string, string>;

  get now(): string {
    return this.service.clock.instant();
  }

  get url(): string {
    return `${this.service.url}/sources/${this.connection.id}/events`;
  }

  /** Gives the affiliate a code of the provider. */
  async giveCode(code: string, pspId = `code_${code}`): Promise<void> {
    const { affiliate, campaign } = this.friends;
    await this.service.services.database.kysely
      .insertInto('promo_code')
      .values({
        id: `pca_${this.account.id.slice(5, 30)}`,
        account_id: this.account.id,
        affiliate_id: affiliate.id,
        campaign_id: campaign.id,
        origin: 'import',
        psp_promotion_code_id: pspId,
        code,
        livemode: true,
        tracking_token: `code_${this.account.id}`,
        status: 'active',
        observation: JSON.stringify({ active: true }) as never,
        observed_at: this.now,
        created_at: this.now,
        updated_at: this.now,
      })
      .execute();
  }

  /** The commissions that `rows` returns. */
  protected current(commissions: Fields[]): Fields[] {
    return commissions;
  }

  pass(): void {
    this.service.clock.advance(1, 'minutes');
  }

  /** Returns sales as `amount tax refunded currency livemode`, commissions as `amount currency state review`, and addresses. */
  async rows() {
    const { body } = await this.account.api.get<{ data: Fields[] }>('/commissions', { expand: 'sale' });
    const { body: all } = await this.account.api.get<{ data: Fields[] }>('/sales', { limit: '100' });
    const { body: people } = await this.account.api.get<{ data: Fields[] }>('/customers');
    const ofSale = ({ charge_amount_cents, tax_amount_cents, refund_amount_cents, currency, livemode }: Fields) =>
      [charge_amount_cents, tax_amount_cents, refund_amount_cents, currency, livemode].join(' ');
    return {
      sales: all.data.map(ofSale).toSorted(),
      commissions: this.current(body.data)
        .map(({ amount_cents, currency, state, review_reason }) => [amount_cents, currency, state, review_reason].join(' '))
        .toSorted(),
      customers: people.data.map(({ email }) => email),
    };
  }
}

/** The situations of payments at a provider. */
const SITUATIONS = [
  'sale',
  'renewal',
  'trial of 0',
  'negative lines',
  'partial refund',
  'full refund',
  'failed refund',
  'open dispute',
  'won dispute',
  'lost dispute',
  'reversed chargeback',
  'test payment',
  'guest',
  'changed address',
  'redeemed code',
  'currency without decimals',
  'currency with three decimals',
] as const;
type Situation = (typeof SITUATIONS)[number];

export interface Story<Of> {
  /** The situations that the story tells. */
  tells: readonly Situation[];
  /** Opens another shop than the ordinary one. */
  open?: () => Promise<Of>;
  happens: (shop: Of) => void;
  sales: string[];
  commissions: string[];
}

export interface StoriesOf<Of> {
  open: () => Promise<Of>;
  stories: Readonly<Record<string, Story<Of>>>;
  /** The situations that a provider does not have, each with the reason. */
  without: Readonly<Partial<Record<Situation, string>>>;
}

/** Returns orders of events: in the ordinary run the given one or its reverse, in turn; with THOROUGH=on all of few, otherwise some. */
function ordersOf<Item>(items: readonly Item[], turn: number): Item[][] {
  if (!THOROUGH) return sample([[...items], items.toReversed()], 2, turn);
  const all = permutationsOf(items);
  return all.length <= 6 ? all : all.filter((_, i) => i % Math.ceil(all.length / 6) === 0);
}

function permutationsOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((first, at) => permutationsOf(items.filter((_, i) => i !== at)).map((rest) => [first, ...rest]));
}

/** How the events of a story arrive: each way returns the shops whose rows they have made. */
const WAYS = {
  'in some order, twice each': async (happened, turn) => {
    const shops: Awaited<ReturnType<typeof happened>>[] = [];
    for (const order of ordersOf([...(await happened()).events.keys()], turn)) {
      const shop = await happened();
      for (const index of order)
        for (let time = 0; time < 2; time += 1) answered(shop.accepted, await shop.deliver(shop.events[index]));
      await retryPspEvents(shop.service.services);
      shops.push(shop);
    }
    return shops;
  },
  'at once': async (happened) => {
    const shop = await happened();
    await Promise.all(shop.events.map((event) => shop.deliver(event)));
    await retryPspEvents(shop.service.services);
    return [shop];
  },
  'by no webhook': async (happened) => {
    const shop = await happened();
    shop.service.clock.advance(50, 'minutes');
    await findLostEvents(shop.service.services);
    return [shop];
  },
} satisfies Record<string, (happened: () => Promise<Shop<unknown>>, turn: number) => Promise<Shop<unknown>[]>>;
const WAY_NAMES = Object.keys(WAYS) as (keyof typeof WAYS)[];

/**
 * Declares tests that tell each story in several orders, twice each event; with all events at once; and with every webhook lost. The ordinary run tells
 * it in one of these ways, in turn. A further test holds that every situation has a story.
 */
export function tellStories<Event, Of extends Shop<Event>>(
  { open: openOrdinary, stories, without }: StoriesOf<Of>,
  ways: readonly (keyof typeof WAYS)[] = WAY_NAMES,
): void {
  it('has a story of every situation, or a reason why the provider does not have it', () => {
    const told = Object.values(stories).flatMap(({ tells }) => tells);
    expect([...new Set([...told, ...Object.keys(without)])].toSorted()).toEqual(SITUATIONS.toSorted());
    expect(told.filter((situation) => situation in without)).toEqual([]);
    for (const reason of Object.values(without)) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  });

  const told = Object.entries(stories).flatMap(([name, story], turn) =>
    sample(ways, ways.length, turn).map((way) => ({ name, turn, way, ...story })),
  );
  it.each(told)(
    '$name: gives the right rows if its events arrive $way',
    async ({ turn, way, open, happens, sales, commissions }) => {
      const happened = async () => {
        const shop = await (open ?? openOrdinary)();
        happens(shop);
        expect(shop.events.length).toBeGreaterThan(0);
        return shop as unknown as Shop<unknown>;
      };
      const shops = await WAYS[way](happened, turn);
      expect(shops.length).toBeGreaterThan(0);
      for (const shop of shops) expect(await shop.rows()).toMatchObject({ sales, commissions });
    },
  );
}
