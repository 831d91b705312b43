/**
 * Measures the time and memory of an import of files: the dry run, and the making of the records. Also measures response times of requests for another
 * account meanwhile. The baseline inserts a sale with its commission in a transaction of its own, one after the other and without a check.
 *
 *   npx -y pnpm@12 bench imports [affiliates] [customers] [commissions]
 *
 * Defaults: 10000 50000 200000. A small form: `bench imports 500 2500 10000`. Memory is flat if both forms need the same.
 */
import { appRouter, createCallerFactory } from '@affiliate/core';
import { type BulkOutcome, bulkWork } from './support/bulk-work.ts';
import { newAccount, openBenchDatabase, seedProgram } from './support/dataset.ts';
import { startTrickle } from './support/meanwhile.ts';

const [AFFILIATES = 10_000, CUSTOMERS = 50_000, COMMISSIONS = 200_000] = process.argv.slice(2).map(Number);
/** Characters of a part of a file. */
const PART = 1_000_000;
/** The neighbour, whose requests are measured. */
const NEIGHBOUR = { affiliates: 1_000, commissions: 10_000 };
/** Number of commissions that are inserted one at a time. */
const BASELINE = 1_000;
const DAY_MS = 86_400_000;
const STATES = ['paid', 'due', 'pending', 'paid', 'voided'] as const;

const day = (number: number) => new Date(Date.parse('2024-01-01') + (number % 600) * DAY_MS).toISOString();
const lines = (number: number, of: (i: number) => readonly unknown[]) =>
  Array.from({ length: number }, (_, i) => of(i).join(','));

const bench = await openBenchDatabase();
try {
  const neighbour = await seedProgram(bench.client, NEIGHBOUR);
  const { account_id: account } = await newAccount(bench.services, 'Mover');
  const { imports, campaigns } = createCallerFactory(appRouter)({
    services: bench.services,
    requestId: 'bench',
    principal: { kind: 'system', account_id: account },
    surface: 'v1',
    reply: {},
  });
  await campaigns.create({
    name: 'Friends',
    url: 'https://shop.example.com/',
    reward_type: 'percent',
    commission_percent: 10,
    default: true,
  });
  const files = filesOfTheTool();
  const { id } = await imports.create({
    source: 'csv',
    draft: true,
    files: files.map(({ kind }) => ({ kind })),
  });
  for (const [file, { text }] of files.entries())
    for (let offset = 0; offset < text.length; offset += PART)
      await imports.addPart({
        id,
        file,
        offset,
        content: text.slice(offset, offset + PART),
        is_last: offset + PART >= text.length,
      });

  const baseline = await oneByOne(neighbour);
  const trickle = await startTrickle(bench, neighbour);
  const { outcome: parts, meanwhile } = await trickle.during(async () => {
    const task = { url: bench.url, account, work: 'import' } as const;
    const measured: Record<string, BulkOutcome> = {};
    for (const [name, act] of [
      ['dry_run', imports.run],
      ['make', imports.run],
    ] as const) {
      await act({ id });
      measured[name] = await bulkWork(task);
      process.stderr.write(`${name}: ${measured[name].seconds} s, ${measured[name].peak_rss_mb} MB\n`);
    }
    return measured;
  });
  await trickle.stop();
  const { state, counts, totals } = await imports.get({ id });
  if (state !== 'done' || counts.some(({ outcome }) => outcome !== 'new')) throw new Error(JSON.stringify(counts));
  const perSecond = counts.reduce((sum, { done }) => sum + done, 0) / parts['make']!.seconds;
  process.stdout.write(
    `${JSON.stringify(
      {
        files_mb: Number((files.reduce((sum, { text }) => sum + text.length, 0) / 1e6).toFixed(1)),
        counts: counts.map(({ kind, done }) => `${kind} ${done}`),
        difference_cents: totals.reduce((sum, { source_cents, here_cents }) => sum + Math.abs(source_cents - here_cents), 0),
        minutes: Number((Object.values(parts).reduce((sum, { seconds }) => sum + seconds, 0) / 60).toFixed(1)),
        parts,
        made_per_second: Math.round(perSecond),
        one_by_one_per_second: Math.round(baseline),
        ratio: Number((perSecond / baseline).toFixed(1)),
        meanwhile,
      },
      null,
      2,
    )}\n`,
  );
} finally {
  await bench.stop();
}

/** Returns how many commissions with their sales per second an importer makes that sends them one by one. */
async function oneByOne(account: string): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < BASELINE; i += 1) {
    await bench.client.query('begin');
    await bench.client.query(
      `insert into sale (id, account_id, referral_id, affiliate_id, charge_amount_cents, tax_amount_cents, refund_amount_cents, currency, charged_at, created_at, updated_at)
       values ($1, $2, 'ref_1', 'aff_1', 1000, 0, 0, 'USD', now(), now(), now())`,
      [`sale_plain_${i}`, account],
    );
    await bench.client.query(
      `insert into commission (id, account_id, campaign_id, affiliate_id, referral_id, sale_id, kind, state, amount_cents, currency, basis_points, due_at, created_at, updated_at)
       values ($1, $2, 'camp_bench', 'aff_1', 'ref_1', $3, 'sale', 'pending', 100, 'USD', 1000, now(), now(), now())`,
      [`com_plain_${i}`, account, `sale_plain_${i}`],
    );
    await bench.client.query('commit');
  }
  return (BASELINE * 1_000) / (performance.now() - start);
}

/** Two years of history: every customer belongs to an affiliate, and every affiliate got one payout of what is paid. */
function filesOfTheTool() {
  const affiliateOf = (customer: number) => customer % AFFILIATES;
  const commissions = Array.from({ length: COMMISSIONS }, (_, i) => ({
    customer: i % CUSTOMERS,
    affiliate: affiliateOf(i % CUSTOMERS),
    state: STATES[(i + Math.floor(i / CUSTOMERS)) % STATES.length]!,
    cents: 500 + (i % 1_000),
  }));
  const paid = new Map<number, number>();
  for (const { affiliate, state, cents } of commissions)
    if (state === 'paid') paid.set(affiliate, (paid.get(affiliate) ?? 0) + cents);
  const file = (kind: 'affiliates' | 'customers' | 'commissions' | 'payouts', headers: string, rows: string[]) => ({
    kind,
    text: [headers, ...rows].join('\n'),
  });
  return [
    file(
      'affiliates',
      'id,email,first_name,last_name,token,paypal_email,created_at',
      lines(AFFILIATES, (i) => [
        `aff-${i}`,
        `a${i}@partner.example`,
        'Ada',
        `No ${i}`,
        `ada-${i}`,
        `pay${i}@partner.example`,
        day(i),
      ]),
    ),
    file(
      'customers',
      'id,affiliate,email,stripe_customer_id,created_at,converted_at',
      lines(CUSTOMERS, (i) => [`ref-${i}`, `aff-${affiliateOf(i)}`, `c${i}@shop.example`, `cus_${i}`, day(i), day(i)]),
    ),
    file(
      'commissions',
      'id,affiliate,customer,state,amount_cents,currency,sale_amount_cents,stripe_charge_id,payout,due_at,created_at',
      commissions.map(({ customer, affiliate, state, cents }, i) =>
        [
          `com-${i}`,
          `aff-${affiliate}`,
          `ref-${customer}`,
          state,
          cents,
          'USD',
          cents * 10,
          `ch_${i}`,
          state === 'paid' ? `pay-${affiliate}` : '',
          state === 'pending' ? '2999-01-01' : day(i + 30),
          day(i),
        ].join(','),
      ),
    ),
    file(
      'payouts',
      'id,affiliate,amount_cents,currency,paid_at',
      [...paid].map(([affiliate, cents]) => [`pay-${affiliate}`, `aff-${affiliate}`, cents, 'USD', '2026-01-01'].join(',')),
    ),
  ];
}
