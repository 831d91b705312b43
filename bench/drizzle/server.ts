/**
 * Server with Express and Drizzle, written as developers usually would: it checks its input, a write is one transaction of plain statements,
 * and a read is one relational query. It uses the service's schema, and its replies equal the service's (compare.ts). It runs in a process of
 * its own, as the service does, and sends its port to its parent.
 */
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { and, count, desc, eq, gte, isNull, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import express, { type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { emit, newId } from './events.ts';
import { EXPANDED, PLAIN, expanded, plain, saleOf } from './replies.ts';
import { affiliate, apiKey, campaign, click, commission, customer, link, linkClicks, referral, sale, schema } from './schema.ts';

const LIMIT = 25;
const DAY_MS = 86_400_000;

const db = drizzle(process.env['DATABASE_URL']!, { schema });
const app = express().disable('x-powered-by').disable('etag').use(express.json());

const authenticated: RequestHandler = async (request, response, next) => {
  const hash = createHash('sha256').update(String(request.headers['x-api-key'])).digest('hex');
  const [key] = await db.select().from(apiKey).where(eq(apiKey.secret_hash, hash));
  response.locals['account'] = key?.account_id;
  if (key && key.account_id === request.headers['x-account-id']) next();
  else response.status(401).end();
};

function accountOf(response: Response): string {
  return response.locals['account'] as string;
}

app.get('/api/v1/commissions/:id', authenticated, async (request, response) => {
  const row = await db.query.commission.findFirst({
    where: and(eq(commission.account_id, accountOf(response)), eq(commission.id, String(request.params['id']))),
    ...EXPANDED,
  });
  if (row) response.json(expanded(row));
  else response.status(404).end();
});

const ListInput = z.object({
  state: z.string().optional(),
  updated_since: z.iso.datetime({ offset: true }).optional(),
  expand: z.string().optional(),
  count: z.enum(['true', 'false']).optional(),
});

app.get('/api/v1/commissions', authenticated, async (request, response) => {
  const input = ListInput.parse(request.query);
  const where = and(
    eq(commission.account_id, accountOf(response)),
    input.state === undefined ? undefined : eq(commission.state, input.state),
    input.updated_since === undefined ? undefined : gte(commission.updated_at, new Date(input.updated_since)),
  );
  const page = { where, orderBy: desc(commission.id), limit: LIMIT };
  if (input.expand !== undefined) {
    const rows = await db.query.commission.findMany({ ...page, ...EXPANDED });
    response.json({ data: rows.map(expanded) });
    return;
  }
  const [rows, total] = await Promise.all([
    db.query.commission.findMany({ ...page, ...PLAIN }),
    input.count === 'false' ? null : db.$count(commission, where),
  ]);
  const data = rows.map(plain);
  if (total === null) {
    response.json({ data });
    return;
  }
  const pages = Math.ceil(total / LIMIT);
  response.json({
    data,
    pagination: {
      previous_page: null,
      current_page: 1,
      next_page: pages > 1 ? 2 : null,
      count: rows.length,
      limit: LIMIT,
      total_pages: pages,
      total_count: total,
    },
  });
});

const NewAffiliate = z.object({ email: z.email(), campaign_id: z.string() });

app.post('/api/v1/affiliates', authenticated, async (request, response) => {
  const { email, campaign_id } = NewAffiliate.parse(request.body);
  const account_id = accountOf(response);
  const created = await db.transaction(async (tx) => {
    const joined = await tx.query.campaign.findFirst({
      where: and(eq(campaign.account_id, account_id), eq(campaign.id, campaign_id), isNull(campaign.archived_at)),
    });
    if (!joined) return null;
    const known = await tx.query.customer.findFirst({
      where: and(eq(customer.account_id, account_id), eq(sql`lower(${customer.email})`, email.toLowerCase())),
    });
    const now = new Date();
    const [row] = await tx
      .insert(affiliate)
      .values({
        id: newId('aff'),
        account_id,
        campaign_id,
        email,
        state: 'active',
        psp_customer_id: known?.psp_customer_id,
        created_at: now,
        updated_at: now,
      })
      .returning();
    const { id, state, first_name, last_name, created_at, updated_at } = row!;
    const data = { id, email, state, campaign_id, first_name, last_name, created_at, updated_at };
    await emit(tx, account_id, ['affiliate.created', 'affiliate.approved'], data);
    return row!;
  });
  if (!created) {
    response.status(422).end();
    return;
  }
  const { account_id: _, ...reply } = created;
  response.status(201).json(reply);
});

const NewSale = z.object({
  referral_id: z.string(),
  external_id: z.string(),
  amount_cents: z.int().positive(),
  currency: z.string().length(3),
});

app.post('/track/sales', authenticated, async (request, response) => {
  const input = NewSale.parse(request.body);
  const account_id = accountOf(response);
  const recorded = await db.transaction(async (tx) => {
    const known = await tx.query.referral.findFirst({
      where: and(eq(referral.account_id, account_id), eq(referral.id, input.referral_id)),
      with: { affiliate: true, campaign: true },
    });
    if (!known?.affiliate || !known.campaign) return null;
    await tx.select().from(affiliate).where(eq(affiliate.id, known.affiliate_id)).for('no key update');
    const now = new Date();
    const [sold] = await tx
      .insert(sale)
      .values({
        id: newId('sale'),
        account_id,
        referral_id: known.id,
        affiliate_id: known.affiliate_id,
        named_referral_id: known.id,
        external_id: input.external_id,
        charge_amount_cents: input.amount_cents,
        tax_amount_cents: 0,
        refund_amount_cents: 0,
        currency: input.currency,
        charged_at: now,
        created_at: now,
        updated_at: now,
      })
      .returning();
    const basis_points = known.campaign.commission_basis_points!;
    const [earned] = await tx
      .insert(commission)
      .values({
        id: newId('com'),
        account_id,
        campaign_id: known.campaign_id,
        affiliate_id: known.affiliate_id,
        referral_id: known.id,
        sale_id: sold!.id,
        kind: 'sale',
        state: 'pending',
        amount_cents: Math.round((input.amount_cents * basis_points) / 10_000),
        currency: input.currency,
        basis_points,
        due_at: new Date(now.getTime() + known.campaign.days_until_commissions_are_due * DAY_MS),
        created_at: now,
        updated_at: now,
      })
      .returning();
    const reply = plain({ ...earned!, item: null });
    await emit(tx, account_id, ['commission.created'], reply);
    return { sold: sold!, known, commission: reply };
  });
  if (!recorded) {
    response.status(422).end();
    return;
  }
  const { sold, known } = recorded;
  response.status(201).json({
    sale: saleOf({ ...sold, referral: { ...known, customer: null }, affiliate: known.affiliate }),
    commission: recorded.commission,
    reason: null,
  });
});

app.get('/t/:token', async (request, response) => {
  const account_id = z.string().parse(request.query['account_id']);
  const target = await db.query.link.findFirst({
    where: and(
      eq(link.account_id, account_id),
      eq(sql`lower(${link.token})`, request.params.token.toLowerCase()),
      isNull(link.archived_at),
    ),
    with: { campaign: true, affiliate: true },
  });
  if (!target?.campaign || target.campaign.archived_at || target.affiliate?.archived_at || target.affiliate?.state !== 'active') {
    response.status(404).end();
    return;
  }
  const now = new Date();
  const day = now.toISOString().slice(0, 10);
  const { affiliate_id, campaign_id, id: link_id } = target;
  const expires_at = new Date(now.getTime() + target.campaign.days_before_referrals_expire * DAY_MS);
  const visitor_key = createHash('sha256').update(`${day} ${request.ip} ${request.headers['user-agent']}`).digest();
  const started = await db.transaction(async (tx) => {
    const [row] = await tx
      .insert(referral)
      .values({
        id: newId('ref'),
        account_id,
        affiliate_id,
        campaign_id,
        link_id,
        conversion_state: 'visitor',
        expires_at,
        created_at: now,
        updated_at: now,
      })
      .returning();
    const { account_id: _, ...data } = row!;
    await emit(tx, account_id, ['referral.created'], { ...data, psp_customer_id: null });
    await tx
      .insert(linkClicks)
      .values({ link_id, day, account_id, clicks: 1 })
      .onConflictDoUpdate({ target: [linkClicks.link_id, linkClicks.day], set: { clicks: sql`${linkClicks.clicks} + 1` } });
    const [before] = await tx
      .select({ clicks: count() })
      .from(click)
      .where(and(eq(click.day, day), eq(click.link_id, link_id), eq(click.visitor_key, visitor_key)));
    await tx.insert(click).values({
      day,
      at: now,
      account_id,
      link_id,
      affiliate_id,
      campaign_id,
      referral_id: row!.id,
      rule: 'first_click',
      visitor_key,
      is_unique: before!.clicks === 0,
    });
    return row!;
  });
  const landing = new URL(target.url);
  landing.searchParams.set('via', target.token);
  landing.searchParams.set('referral', started.id);
  response.cookie(`affiliate_referral_${account_id}`, started.id, {
    expires: expires_at,
    path: '/t',
    httpOnly: true,
    sameSite: 'lax',
  });
  response.redirect(302, landing.href);
});

const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
