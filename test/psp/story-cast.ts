/** The accounts, campaigns, affiliates and visits of stories. They are shared by all runs with the same setting. */
import { equal } from 'node:assert/strict';
import { appRouter, createCallerFactory, type Services } from '@affiliate/core';
import { sql } from 'kysely';
import { newId as newRecordId } from '../../packages/core/src/platform/wire/ids.ts';
import { coupon, newId, price, promotionCode } from '../support/psp-server/index.ts';
import type { Merchant, PspTestService } from './service.ts';
import { instantOf, millisecondsOf } from './story-events.ts';
import { HISTORIES, type History, type Product, type Setting, type StoryRule, type Who } from './story-facts.ts';

/** Two affiliates of one campaign, each with a code. */
export interface Cast {
  merchant: Merchant;
  campaignId: string;
  affiliates: Record<Who, string>;
  codes: Record<Who, { id: string; code: string }>;
  /** Products of the merchant. */
  prices: Record<Product, ReturnType<typeof price>>;
  /** The rules of the setting, and their ids. */
  terms: readonly StoryRule[];
  rules: string[];
  /** The id of the tier, or null. */
  tierId: string | null;
  /** True if only one run of a story has these affiliates. */
  isOwn: boolean;
  livemode: boolean;
}

/** A visit through an affiliate's link, with the days on which its referral was deactivated and activated again. */
export interface Visit {
  who: Who;
  day: number;
  off?: readonly [from: number, until: number | null] | undefined;
}

/** The day on which the campaigns start, before all stories. */
const BEGINNING = -100;

const createCaller = createCallerFactory(appRouter);

export class Casts {
  readonly #service: PspTestService;
  readonly #first: Merchant;
  readonly #merchants = new Map<string, Promise<Merchant>>();
  readonly #casts = new Map<string, Promise<Cast>>();
  readonly #prices = new Map<string, Cast['prices']>();
  /** The code that was imported for each merchant. */
  readonly #imported = new Map<string, ReturnType<typeof readCode>>();
  #callers = 0;

  /** @param merchant for stories in test mode whose account does not prefer codes to links; for other stories, this class creates merchants */
  constructor(service: PspTestService, merchant: Merchant) {
    this.#service = service;
    this.#first = merchant;
  }

  /**
   * Returns the cast of a setting. Creates it on the first call with these terms. A setting with rules gets new affiliates for every call, and a new
   * campaign, too, if the story changes it.
   */
  async of({ maxCommissions, lastClick = false, codeBeforeLink = false, live = false, ...more }: Setting): Promise<Cast> {
    const { history, rules, tier, percent, dueDays, isChanged = false } = more;
    const terms = { ...(rules && { rules, tier, percent, dueDays }), ...(history && { history }) };
    const setting = { maxCommissions, lastClick, codeBeforeLink, live, ...terms };
    const key = JSON.stringify(setting);
    const known = (isChanged ? undefined : this.#casts.get(key)) ?? this.#engage(setting);
    if (!isChanged) this.#casts.set(key, known);
    return rules === undefined ? known : this.#withOwnAffiliates(await known);
  }

  /** Returns a caller for whom it is a day of the story. Each has a network of its own, because an account accepts few leads from one network. */
  at({ id: accountId }: Merchant, day: number) {
    const now = new Date(millisecondsOf(day));
    this.#callers += 1;
    const clientAddress = [11 + (this.#callers >> 16), (this.#callers >> 8) & 255, this.#callers & 255, 1].join('.');
    return createCaller({
      services: { ...this.#service.services, clock: { now: () => now } },
      requestId: 'story',
      clientAddress,
      principal: { kind: 'api_key', id: 'key_test', account_id: accountId, permissions: { all: true } },
      surface: 'v1',
      reply: {},
    });
  }

  #merchant({ codeBeforeLink, live, history }: Setting): Promise<Merchant> {
    const changes = history === 'chosen' ? { history } : {};
    const key = JSON.stringify([codeBeforeLink, live, changes]);
    const known = this.#merchants.get(key) ?? this.#found({ codeBeforeLink, live, maxCommissions: null, ...changes });
    this.#merchants.set(key, known);
    return known;
  }

  async #found({ codeBeforeLink, live, history }: Setting): Promise<Merchant> {
    if (!codeBeforeLink && !live && !history) return this.#first;
    const merchant = await this.#service.createMerchant(live ? 'live' : 'test');
    await merchant.connect();
    await this.#service.services.database.kysely
      .updateTable('account')
      .set(choices(codeBeforeLink === true, history))
      .where('id', '=', merchant.id)
      .execute();
    return merchant;
  }

  async #engage(setting: Setting): Promise<Cast> {
    const merchant = await this.#merchant(setting);
    const livemode = setting.live === true;
    const start = this.at(merchant, BEGINNING);
    const { id: campaignId } = await start.campaigns.create({
      name: `Campaign ${crypto.randomUUID()}`,
      url: 'https://shop.example',
      reward_type: 'percent',
      commission_percent: setting.percent ?? 20,
      max_commissions: setting.maxCommissions,
      ...(setting.dueDays !== undefined && { days_until_commissions_are_due: setting.dueDays }),
      attribution: setting.lastClick ? 'last_click' : 'first_click',
    });
    const affiliates = { A: await this.#newAffiliate(start, campaignId), B: await this.#newAffiliate(start, campaignId) };
    const code = (who: Who) => ({ id: newId('promo'), code: newId(who).toUpperCase() });
    const codes = { A: code('A'), B: code('B') };
    await this.#assign(merchant, campaignId, affiliates, codes, livemode);
    const { tier, rules = [] } = setting;
    const tierId = tier === undefined ? null : (await start.tiers.create({ campaign_id: campaignId, name: 'Gold', ...tier })).id;
    const prices = this.#pricesOf(merchant, livemode);
    const cast: Cast = {
      merchant,
      campaignId,
      affiliates,
      codes,
      prices,
      terms: rules,
      rules: [],
      tierId,
      isOwn: false,
      livemode,
    };
    for (const [i, rule] of rules.entries()) {
      const values = {
        campaign_id: campaignId,
        name: `Rule ${i}`,
        event: rule.event ?? ('sale' as const),
        ...ruleValues(cast, rule),
      };
      cast.rules.push((await start.rewardRules.create({ ...values, pay: values.pay! })).id);
    }
    if (setting.history) await this.#live(cast, setting.history);
    return cast;
  }

  async #newAffiliate(call: ReturnType<typeof createCaller>, campaignId: string): Promise<string> {
    return (await call.affiliates.create({ email: `${newId('x')}@partner.example`, campaign_id: campaignId })).id;
  }

  /**
   * Returns a cast with affiliates of its own in the same campaign. They have new codes with the same texts, so that the rules of the campaign name them,
   * too. Of codes with the same text, the newest counts.
   */
  async #withOwnAffiliates({ codes: former, ...cast }: Cast): Promise<Cast> {
    const { merchant, campaignId } = cast;
    const start = this.at(merchant, BEGINNING);
    const affiliates = { A: await this.#newAffiliate(start, campaignId), B: await this.#newAffiliate(start, campaignId) };
    const codes = { A: { ...former.A, id: newId('promo') }, B: { ...former.B, id: newId('promo') } };
    await this.#assign(merchant, campaignId, affiliates, codes, cast.livemode);
    return { ...cast, affiliates, codes, isOwn: true };
  }

  /** Assigns a code to each affiliate: rows like that of a code which was imported from the provider, so that thousands need no request. */
  async #assign(
    merchant: Merchant,
    campaign_id: string,
    affiliates: Cast['affiliates'],
    codes: Cast['codes'],
    livemode: boolean,
  ): Promise<void> {
    const known = this.#imported.get(merchant.id) ?? this.#import(merchant, affiliates.A, livemode);
    this.#imported.set(merchant.id, known);
    const imported = await known;
    const at = new Date(this.#service.clock.now().getTime() + (this.#callers += 1));
    const made = at.toISOString();
    const rows = (['A', 'B'] as const).map((who) => ({
      ...imported,
      id: newRecordId('promo_code', at),
      affiliate_id: affiliates[who],
      campaign_id,
      psp_promotion_code_id: codes[who].id,
      code: codes[who].code,
      tracking_token: newId('token'),
      created_at: made,
      updated_at: made,
    }));
    await this.#service.services.database.kysely.insertInto('promo_code').values(rows).execute();
  }

  /** Imports a code from the provider. Returns its row. */
  async #import({ psp, api }: Merchant, affiliateId: string, livemode: boolean) {
    if (psp.records.coupons.length === 0) psp.records.coupons.push(coupon({ id: 'SPRING', livemode }));
    const made = promotionCode({ code: newId('I').toUpperCase(), promotion: { type: 'coupon', coupon: 'SPRING' }, livemode });
    psp.records.promotionCodes.push(made);
    const { id } = made;
    const asked = { psp_promotion_code_id: id, dry_run: false };
    const { status } = await api.post(`/affiliates/${affiliateId}/promo_codes`, asked, { 'Idempotency-Key': id });
    equal(status, 201);
    return readCode(this.#service.services, id);
  }

  #pricesOf({ id, psp: { records } }: Merchant, livemode: boolean): Cast['prices'] {
    const known = this.#prices.get(id) ?? {
      pro: price('pro', 'month', { livemode }),
      free: price('free', 'month', { livemode }),
    };
    if (!this.#prices.has(id)) records.prices.push(known.pro, known.free);
    this.#prices.set(id, known);
    return known;
  }

  /** Changes the campaign and the affiliates on the days of a history. */
  async #live({ merchant, campaignId, affiliates }: Cast, history: keyof typeof HISTORIES): Promise<void> {
    for (const { day, ...change } of HISTORIES[history]) {
      const call = this.at(merchant, day);
      if ('state' in change) await call.affiliates.update({ id: affiliates[change.who], state: change.state });
      else if ('terms' in change) await call.campaigns.update({ id: campaignId, ...change.terms });
      else if ('isCodeBeforeLink' in change) continue;
      else if (change.isArchived) await call.campaigns.archive({ id: campaignId });
      else await call.campaigns.update({ id: campaignId, archived_at: null });
    }
  }

  /** Creates the referral of a visit on a past day. Returns its id. */
  async visited({ merchant, affiliates, campaignId }: Cast, { who, day, off }: Visit): Promise<string> {
    const [from, until] = off ?? [null, null];
    // Visits in the same second are ordered by id, so the id begins with what tells them apart: the order is then the same in each run.
    const place = [from, until].map((at) => String(at ?? 0).padStart(3, '0')).join('');
    const id = `ref_${who.toLowerCase()}${place}${crypto.randomUUID().replaceAll('-', '').slice(0, 19)}`;
    const { kysely } = this.#service.services.database;
    await kysely
      .insertInto('referral')
      .values({
        id,
        account_id: merchant.id,
        affiliate_id: affiliates[who],
        campaign_id: campaignId,
        conversion_state: 'visitor',
        metadata: {},
        expires_at: instantOf(day + 60),
        deactivated_at: from === null || until !== null ? null : instantOf(from),
        reactivated_at: until === null ? null : instantOf(until),
        created_at: instantOf(day),
        updated_at: instantOf(day),
      })
      .execute();
    if (from !== null && until !== null)
      await kysely
        .insertInto('referral_deactivation')
        .values({ referral_id: id, account_id: merchant.id, deactivated_at: instantOf(from), until: instantOf(until) })
        .execute();
    return id;
  }
}

/** Returns the row of a code. */
function readCode({ database }: Services, id: string) {
  const codes = database.kysely.selectFrom('promo_code').selectAll();
  return codes.where('psp_promotion_code_id', '=', id).executeTakeFirstOrThrow();
}

/** Returns the fields of a rule that are given. */
export function ruleValues({ codes, tierId }: Cast, rule: Partial<StoryRule>) {
  const { pay, onTop, code, product, customer, upTo, tiered, cap, milestone, hold, from, until } = rule;
  const when = {
    ...(code !== undefined && { codes: [codes[code].code] }),
    ...(product !== undefined && { products: [product] }),
    ...(customer !== undefined && { customer }),
    ...(upTo !== undefined && { sale_number: { to: upTo } }),
    ...(tiered === true && { tier: [tierId!] }),
  };
  const usd = (cents: number) => ({ amount_cents: cents, currency: 'USD' });
  return {
    ...(pay !== undefined && {
      pay:
        pay === 'nothing' ? { nothing: true as const } : typeof pay === 'number' ? { percent: pay } : { fixed: usd(pay.cents) },
    }),
    ...(Object.keys(when).length > 0 && { when }),
    ...(onTop !== undefined && { apply: onTop ? ('on_top' as const) : ('instead' as const) }),
    ...(cap !== undefined && { cap: { ...usd(cap.cents), per: cap.per, window: cap.window ?? ('ever' as const) } }),
    ...(milestone !== undefined && { milestone }),
    ...(hold !== undefined && { hold_days: hold }),
    ...(from !== undefined && { from: instantOf(from) }),
    ...(until !== undefined && { until: instantOf(until) }),
  };
}

/** Returns the columns of an account whose choice between codes and links changes on the days of a history. */
function choices(first: boolean, history: Setting['history']) {
  const changes: History = history ? HISTORIES[history] : [];
  let current = first;
  const former = changes.flatMap((change) => {
    if (!('isCodeBeforeLink' in change)) return [];
    const ended = { until: instantOf(change.day), code_before_link: current };
    current = change.isCodeBeforeLink;
    return [ended];
  });
  return { code_before_link: current, former_code_choices: sql<typeof former>`${JSON.stringify(former)}::jsonb` };
}
