import { beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { must, sell, unique } from '../support/program.ts';
import { useAccount, useService } from '../support/suite.ts';
import { Mover, outcomesOf } from './moving.ts';

const service = useService({ writesRows: true });
const account = useAccount(service);
let mover: Mover;

beforeEach(async () => {
  mover = new Mover(service, account);
  await must(account, '/campaigns', {
    name: 'Friends',
    url: 'https://shop.example.com/',
    reward_type: 'percent',
    commission_percent: 20,
    default: true,
  });
});

const affiliates = (...lines: string[]) => ({
  kind: 'affiliates',
  content: ['Email;First name;Last name;Token;PayPal', ...lines].join('\r\n'),
});
const customers = (...lines: string[]) => ({
  kind: 'customers',
  content: ['affiliate,email,stripe_customer_id,created_at', ...lines].join('\n'),
});
const begin = (...files: object[]) => mover.read({ source: 'csv', files });

describe('files of affiliates and customers', () => {
  it('are a dry run first, and then affiliates, links with their tokens, and customers who earn for them from now on', async () => {
    const [ada, grace] = [unique('ada'), unique('grace')];
    const moved = await begin(
      customers(`${ada}@example.com,Ben.${ada}@shop.example,cus_${ada},2024-05-06`),
      affiliates(`${ada}@example.com;Ada;Lovelace;${ada};pay.${ada}@example.com`, `${grace}@example.com;Grace;;;`),
    );
    expect(moved).toMatchObject({ state: 'ready', source: 'csv', expected_count: 3, failure: null });
    expect(outcomesOf(moved)).toEqual(['affiliate new 0/2', 'link new 0/1', 'customer new 0/1']);
    expect(await mover.list('/affiliates')).toEqual([]);

    const done = await mover.run(moved.id);
    expect(done.state).toBe('done');
    expect(outcomesOf(done)).toEqual(['affiliate new 2/2', 'link new 1/1', 'customer new 1/1']);
    expect(await mover.list('/affiliates?sort=created_at')).toMatchObject([
      {
        email: `${ada}@example.com`,
        first_name: 'Ada',
        last_name: 'Lovelace',
        walleta_email: `pay.${ada}@example.com`,
        state: 'active',
      },
      { email: `${grace}@example.com`, first_name: 'Grace', last_name: null },
    ]);
    expect(await mover.list('/links')).toMatchObject([{ token: ada, url: 'https://shop.example.com/' }]);
    expect(await mover.list('/referrals')).toMatchObject([
      { conversion_state: 'lead', created_at: '2024-05-06T00:00:00.000Z', expires_at: null },
    ]);
    const [completed, ...before] = await mover.list('/events');
    expect(completed).toMatchObject({ type: 'import.completed', data: { id: moved.id, state: 'done' } });
    expect(before.map(({ type }) => type)).toEqual(['campaign.created']);
    // What the customer pays from now on earns, what was paid before does not.
    await sell(account, { psp_customer_id: `cus_${ada}`, charged_at: '2025-01-01T00:00:00Z' });
    await sell(account, { customer_email: `ben.${ada}@shop.example` });
    expect((await mover.list('/commissions')).map(({ amount_cents }) => amount_cents)).toEqual([2_000]);
  });

  it('make nothing twice, and leave what is there as it is', async () => {
    const [ada, ben] = [unique('ada'), unique('ben')];
    await must(account, '/affiliates', { email: `${ada}@example.com`, first_name: 'Countess' });
    const files = [affiliates(`${ada}@example.com;Ada;L;${ada};`), customers(`${ada},${ben}@shop.example,,`)];
    const first = await begin(...files);
    expect(outcomesOf(first)).toEqual(['affiliate existing 0/1', 'link new 0/1', 'customer new 0/1']);
    await mover.run(first.id);
    const second = await begin(...files);
    expect(outcomesOf(second)).toEqual(['affiliate existing 0/1', 'link existing 0/1', 'customer existing 0/1']);
    expect(outcomesOf(await mover.run(second.id))).toEqual([
      'affiliate existing 1/1',
      'link existing 1/1',
      'customer existing 1/1',
    ]);
    expect(await mover.list('/affiliates')).toMatchObject([{ first_name: 'Countess' }]);
    expect(await mover.list('/referrals')).toHaveLength(1);
  });

  it('are made once by several workers, and undone as a whole', async () => {
    const names = Array.from({ length: 12 }, () => unique('many'));
    const moved = await begin(
      affiliates(...names.map((name) => `${name}@example.com;Ada;Lovelace;${name};`)),
      customers(...names.map((name) => `${name}@example.com,${name}@shop.example,cus_${name},2024-05-06`)),
    );
    const byAll = () => Promise.all(Array.from({ length: 4 }, () => mover.advance()));
    await mover.act(moved.id, 'run');
    await byAll();
    expect(outcomesOf(await mover.get(moved.id))).toEqual(['affiliate new 12/12', 'link new 12/12', 'customer new 12/12']);
    await mover.act(moved.id, 'undo');
    await byAll();
    expect(await mover.get(moved.id)).toMatchObject({ state: 'undone' });
    for (const list of ['/affiliates', '/links', '/customers', '/referrals']) expect(await mover.list(list)).toEqual([]);
  });

  it('are undone as if they had never been, except what has earned since', async () => {
    const [ada, grace, ben] = [unique('ada'), unique('grace'), unique('ben')];
    const moved = await begin(
      affiliates(`${ada}@example.com;Ada;L;${ada};a@b.example`, `${grace}@example.com;Grace;H;${grace};`),
      customers(`${ada},${ben}@shop.example,,2024-01-01`, `${grace},${unique('eve')}@shop.example,,2024-01-01`),
    );
    await mover.run(moved.id);
    await sell(account, { customer_email: `${ben}@shop.example` });
    expect((await mover.act(moved.id, 'undo')).body).toMatchObject({ state: 'undoing' });
    await mover.advance();
    expect(await mover.get(moved.id)).toMatchObject({ state: 'undone' });
    expect(await mover.list('/affiliates')).toMatchObject([{ email: `${ada}@example.com` }]);
    expect(await mover.list('/referrals')).toHaveLength(1);
    expect((await mover.rows(moved.id)).filter(({ reason }) => reason === 'in_use').map(({ kind }) => kind)).toEqual([
      'affiliate',
      'customer',
    ]);
    expect(await mover.list('/commissions')).toHaveLength(1);
  });

  it('say for each line why it cannot be imported', async () => {
    const [ada, grace, ben] = [unique('ada'), unique('grace'), unique('ben')];
    await must(account, '/affiliates', { email: `${grace}@example.com` });
    const { id: other } = (await mover.list<{ id: string }>('/affiliates'))[0]!;
    const campaign = (await mover.list<{ id: string }>('/campaigns'))[0]!;
    await must(account, '/links', {
      affiliate_id: other,
      campaign_id: campaign.id,
      url: 'https://shop.example.com/',
      token: grace,
    });
    const moved = await begin(
      affiliates(`${ada}@example.com;Ada;L;${grace};`, 'nobody;No;Body;;', `${ada.toUpperCase()}@example.com;Ada;Again;;`),
      customers(
        `${ada}@example.com,${ben}@shop.example,,`,
        `${grace},${ben}@shop.example,,`,
        `nowhere,${unique('eve')}@shop.example,,`,
        `${ada}@example.com,,,`,
        `${ada}@example.com,${unique('x')}@shop.example,,06/05/2024`,
      ),
    );
    const said = (await mover.rows(moved.id)).map(({ kind, outcome, reason, detail }) =>
      [kind, outcome, reason, detail].join(' ').trim(),
    );
    expect(said).toEqual([
      'affiliate new',
      'link problem token_taken',
      'affiliate problem invalid email: invalid_format',
      'affiliate skipped repeated',
      'customer new',
      'customer skipped repeated',
      'customer problem affiliate_missing',
      'customer skipped no_customer',
      'customer problem invalid created_at: two_readings',
    ]);
  });
});

describe('files of commissions and payouts', () => {
  const commissions = (...lines: string[]) => ({
    kind: 'commissions',
    content: ['Affiliate email;Customer email;Status;Commission;Currency;Revenue;Charge ID;Date;Payout ID', ...lines].join('\n'),
  });
  const payouts = (...lines: string[]) => ({
    kind: 'payouts',
    content: ['id,affiliate,amount,currency,paid_at', ...lines].join('\n'),
  });
  let ada: string;
  let history: object[];
  beforeEach(() => {
    ada = `${unique('ada')}@example.com`;
    const line = (rest: string) => `${ada};ben@shop.example;${rest}`;
    history = [
      affiliates(`${ada};Ada;L;;`),
      customers(`${ada},ben@shop.example,,2024-01-01`),
      commissions(
        line(`approved;1.234,50;EUR;12.345,00;ch_${ada};2024-02-01;`),
        line('paid;$30.00;USD;300;;2024-02-02;p1'),
        line('paid;12;USD;;;2024-02-03;p1'),
        line('paid;7;USD;;;2024-02-04;p2'),
        line('approved;5;USD;;;2024-02-05;'),
        line('approved;5;USD;;;2024-02-05;'),
        line('approved;1.234;USD;;;2024-02-06;'),
        line('approved;9;;;;2024-02-07;'),
      ),
      payouts(`p1,${ada},42.00,USD,2024-03-01`, `p2,${ada},8.00,USD,2024-03-02`),
    ];
  });

  it('bring amounts as they are written, and payouts that agree with their commissions', async () => {
    const moved = await begin(...history);
    const said = (await mover.rows(moved.id)).filter(({ kind }) => kind === 'commission' || kind === 'payout');
    expect(said.map(({ kind, outcome, reason, detail }) => [kind, outcome, reason, detail].join(' ').trim())).toEqual([
      'commission new',
      'commission new',
      'commission new',
      'commission new',
      'commission new',
      'commission new',
      'commission problem invalid amount: two_readings',
      'commission problem currency_missing',
      'payout new',
      'payout problem commissions_differ',
    ]);
    expect(moved.totals).toEqual([
      { kind: 'commission', currency: 'EUR', state: 'due', count: 1, source_cents: 123_450, here_cents: 123_450 },
      { kind: 'commission', currency: 'USD', state: 'due', count: 2, source_cents: 1_000, here_cents: 1_000 },
      { kind: 'commission', currency: 'USD', state: 'paid', count: 3, source_cents: 4_900, here_cents: 4_900 },
      { kind: 'commission', currency: null, state: 'due', count: 1, source_cents: 900, here_cents: 0 },
      { kind: 'payout', currency: 'USD', state: 'paid', count: 2, source_cents: 5_000, here_cents: 4_200 },
    ]);
    await mover.run(moved.id);
    expect(await mover.list('/payouts?state=paid')).toMatchObject([
      { amount_cents: 4_200, paid_at: '2024-03-01T00:00:00.000Z', external_id: 'p1' },
    ]);
    expect(await mover.list('/payouts?state[]=due&state[]=pending&sort=created_at')).toHaveLength(2);
  });

  it('are not read in another currency than their amounts name', async () => {
    const moved = await begin(
      affiliates(`${ada};Ada;L;;`),
      commissions(
        `${ada};;approved;30.00 EUR;USD;;;2024-02-02;`,
        `${ada};;approved;€30.00;USD;;;2024-02-03;`,
        `${ada};;approved;1.500;KWD;;;2024-02-04;`,
        `${ada};;approved;30.00 EUR;eur;;;2024-02-05;`,
      ),
    );
    const said = (await mover.rows(moved.id)).filter(({ kind }) => kind === 'commission');
    expect(said.map(({ outcome, reason, detail }) => [outcome, reason, detail].join(' ').trim())).toEqual([
      'problem invalid amount_cents: invalid_type',
      'problem invalid amount_cents: invalid_type',
      'problem invalid amount: two_readings',
      'new',
    ]);
  });

  it('are those of one affiliate: a payout takes no commission of somebody else', async () => {
    const eve = `${unique('eve')}@example.com`;
    const moved = await begin(
      affiliates(`${ada};Ada;L;;`, `${eve};Eve;;${unique('eve')};`),
      commissions(`${ada};;paid;30;USD;;;2024-02-02;p1`, `${eve};;paid;12;USD;;;2024-02-03;p1`),
      payouts(`p1,${ada},42.00,USD,2024-03-01`),
    );
    expect(outcomesOf(moved)).toContain('payout problem 0/1');
    expect(outcomesOf(await mover.run(moved.id))).toContain('payout problem 1/1');
    expect(await mover.list('/payouts')).toEqual([]);
  });

  it('go to the affiliate whose ID is named, not to one who has chosen it as a code', async () => {
    const id = unique('id');
    const owner = await must<{ id: string }>(account, '/affiliates', { email: ada, external_id: id });
    const { id: affiliate_id, campaign_id } = await must<{ id: string; campaign_id: string }>(account, '/affiliates', {
      email: `${unique('eve')}@example.com`,
    });
    await must(account, '/links', { affiliate_id, campaign_id, url: 'https://shop.example.com/', token: id });
    await mover.run((await begin(commissions(`${id};;approved;30;USD;;;2024-02-02;`))).id);
    expect(await mover.list('/commissions')).toMatchObject([{ affiliate_id: owner.id }]);
  });

  it('make nothing twice, although their lines have no ids', async () => {
    await mover.run((await begin(...history)).id);
    const before = await mover.list('/commissions');
    expect(before).toHaveLength(6);
    const again = await begin(...history);
    expect(outcomesOf(await mover.run(again.id)).filter((line) => /^(commission|payout)/.test(line))).toEqual([
      'commission existing 6/6',
      'commission problem 1/2',
      'payout existing 1/1',
      'payout problem 1/1',
    ]);
    expect(await mover.list('/commissions')).toEqual(before);
  });
});

describe('refused', () => {
  it.each([
    [{ source: 'unknown' }, 'source', 'not_found'],
    [{ source: 'csv' }, 'files', 'required'],
    [{ source: 'rewardful' }, 'credentials', 'required'],
    [{ source: 'csv', files: [{ kind: 'affiliates', content: 'email' }], campaign_id: 'camp_none' }, 'campaign_id', 'not_found'],
    [{ source: 'csv', files: [{ kind: 'sheep', content: 'email' }] }, 'files.0.kind', 'invalid_value'],
  ])('%j names %s', async (body, path, code) => {
    const reply = await mover.begin<ErrorBody>(body);
    expect(reply).toMatchObject({ status: 422, body: { details: [{ path, code }] } });
  });

  it.each([
    ['no column of an address', 'name,token\nAda,ada'],
    ['a column twice', 'email,e-mail\na@example.com,b@example.com'],
    ['more than 1,000 columns', `email${',x'.repeat(1_000)}\na@example.com`],
    ['a quote that does not end', 'email\n"a@example.com'],
    ['bytes that are not UTF-8', 'email,name\na@example.com,Zo\uFFFD'],
  ])('a file with %s fails in a word, and makes nothing', async (_, content) => {
    const moved = await begin({ kind: 'affiliates', content });
    expect(moved).toMatchObject({ state: 'failed', failure: 'file_unreadable', counts: [] });
    expect((await mover.act<ErrorBody>(moved.id, 'stop')).status).toBe(409);
  });

  it('another account sees no import', async () => {
    const moved = await begin(affiliates(`${unique('ada')}@example.com;;;;`));
    const stranger = new Mover(service, await service.createAccount());
    expect((await stranger.act<ErrorBody>(moved.id, 'run')).status).toBe(404);
    expect(await stranger.list('/api/settings/v1/imports')).toEqual([]);
  });
});

describe('a file of codes', () => {
  it('without ids of a payment provider has codes of the own shop, which earn', async () => {
    const email = `${unique('ada')}@example.com`;
    const code = unique('OWN');
    const { id } = await begin(affiliates(`${email};;;;`), { kind: 'codes', content: `affiliate,code\n${email},${code}` });
    expect(outcomesOf(await mover.run(id))).toEqual(['affiliate new 1/1', 'code new 1/1']);
    const { commission, warnings } = await sell(account, {
      promo_code: code.toLowerCase(),
      customer_email: `${unique('x')}@example.com`,
    });
    expect([commission?.amount_cents, warnings]).toEqual([2000, []]);
    const again = await begin(affiliates(`${email};;;;`), { kind: 'codes', content: `affiliate,code\n${email},${code}` });
    expect(outcomesOf(again)).toEqual(['affiliate existing 0/1', 'code existing 0/1']);
  });
});

describe('texts as tools and spreadsheets write them', () => {
  it.each([
    [
      'a byte order mark, quoted line ends, and tabs',
      '\uFEFFemail\tname\r\n"ada@example.com"\t"Ada\r\nLovelace"\r\n\r\n',
      'invalid',
    ],
    [
      'headers of Rewardful’s own import',
      'stripe_customer_id,first_name,last_name,email,paypal_email,wise_email,token\n,Ada,L,ada@example.com,,w@example.com,ada',
      null,
    ],
    ['formulas behind quotes', "email,first_name\nada@example.com,'=HYPERLINK", null],
    ['headers of their own', 'Contact,Note\nada@example.com,x', null],
  ])('%s', async (_, content, reason) => {
    const moved = await begin({ kind: 'affiliates', content, columns: { Contact: 'email' } });
    expect(moved.state).toBe('ready');
    expect((await mover.rows(moved.id))[0]).toMatchObject({ kind: 'affiliate', reason, data: { email: 'ada@example.com' } });
  });
});
