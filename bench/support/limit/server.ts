/**
 * The limit server: serves the benchmark's requests as fast as possible, with Express, one prepared statement per request, and no checks of
 * input, output or permissions. Its replies equal the service's (compare.ts). It runs in a process of its own, as the service does, and sends
 * its port to its parent.
 */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { Pool, types } from 'pg';
import * as statements from './statements.ts';

type Row = Record<string, unknown>;

types.setTypeParser(types.builtins.INT8, Number);
types.setTypeParser(types.builtins.TIMESTAMPTZ, instant);
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 8, options: '-c timezone=UTC' });
const names = new Map(
  Object.values(statements).map((text) => [text, createHash('sha1').update(text).digest('hex').slice(0, 16)]),
);

async function ask(text: string, values: unknown[]): Promise<Row[]> {
  return (await pool.query<Row>({ name: names.get(text)!, text, values })).rows;
}

const bodies = new WeakMap<IncomingMessage, Buffer>();
const json = express.json({ limit: '1mb', verify: (request, _response, bytes) => void bodies.set(request, bytes) });
const app = express().disable('x-powered-by').disable('etag').use(json);
const keys = new Map<string, string>();

/** Finds the account of the API key. Each key is looked up only once. */
const authenticated: RequestHandler = async (request, response, next) => {
  const secret = String(request.headers['x-api-key']);
  let account = keys.get(secret);
  if (account === undefined) {
    const hash = createHash('sha256').update(secret).digest('hex');
    const { rows } = await pool.query<Row>('select account_id from api_key where secret_hash = $1', [hash]);
    keys.set(secret, (account = String(rows[0]?.['account_id'])));
  }
  response.locals['account'] = account;
  if (account === request.headers['x-account-id']) next();
  else response.status(401).end();
};

app.get('/api/v1/commissions/:id', authenticated, async (request, response) => {
  const [row] = await ask(statements.READ, [response.locals['account'], request.params['id']]);
  if (row) response.json(expanded(row));
  else response.status(404).end();
});

app.get('/api/v1/commissions', authenticated, async (request, response) => {
  const { state, updated_since, expand, count } = request.query;
  const filter = [response.locals['account'], state, updated_since];
  if (expand !== undefined) {
    response.json({ data: (await ask(statements.LIST_EXPANDED, filter)).map(expanded) });
  } else if (count === 'false') {
    response.json({ data: await ask(statements.LIST, filter) });
  } else {
    const rows = await ask(statements.LIST_AND_COUNT, filter);
    const total = Number(rows[0]?.['total'] ?? 0);
    const pages = Math.ceil(total / 25);
    response.json({
      data: rows.map(({ total: _, ...row }) => row),
      pagination: {
        previous_page: null,
        current_page: 1,
        next_page: pages > 1 ? 2 : null,
        previous_cursor: null,
        next_cursor: pages > 1 ? rows.at(-1)!['id'] : null,
        count: rows.length,
        limit: 25,
        total_pages: pages,
        total_count: total,
      },
    });
  }
});

app.post('/api/v1/affiliates', authenticated, async (request, response) => {
  const { campaign_id, email } = request.body as Row;
  const [row] = await ask(statements.CREATE_AFFILIATE, [response.locals['account'], campaign_id, email]);
  response.status(201).json(row);
});

app.post('/track/sales', authenticated, async (request, response) => {
  const { referral_id, external_id, amount_cents, currency } = request.body as Row;
  const values = [response.locals['account'], referral_id, external_id, amount_cents, currency];
  const [row] = await ask(statements.RECORD_SALE, values);
  const { commission, conversion_state, email, first_name, last_name, ...sale } = row as Row & { commission: Row };
  const {
    account_id: _,
    superseded: _s,
    basis_points: _b,
    voided_by_refund: _v,
    voided_by_hand: _h,
    lines_currency: _l,
    milestone_since: _ms,
    milestone_times: _mt,
    reached_at: _mr,
    contested: _ct,
    due_by_hand: _d,
    imported_cents: _ic,
    ...earned
  } = commission;
  response.status(201).json({
    sale: saleOf(
      sale,
      { id: sale['referral_id'], conversion_state, psp_customer_id: null, customer: null },
      { id: sale['affiliate_id'], email, first_name, last_name },
    ),
    commission: { ...inUtc(earned), payout_id: null },
    reason: null,
    warnings: [],
  });
});

/** The key of the only connection that sends signed facts. */
const factsKey = Buffer.from((process.env['FACTS_SECRET'] ?? '').replace('whsec_', ''), 'base64');

app.post('/sources/:id/events', async (request, response) => {
  const signed = createHmac('sha256', factsKey)
    .update(`${request.get('webhook-id')}.${request.get('webhook-timestamp')}.`)
    .update(bodies.get(request)!)
    .digest('base64');
  if (request.get('webhook-signature') !== `v1,${signed}`) {
    response.status(400).end();
    return;
  }
  const { facts, dry_run } = request.body as { facts: { type: string; data: object }[]; dry_run: boolean };
  const ids = facts.map(({ type, data }) => {
    const digest = createHash('sha256').update(JSON.stringify([type, data]));
    return `fact_${digest.digest('hex').slice(0, 32)}`;
  });
  const types = facts.map(({ type }) => type);
  const payloads = facts.map((fact, place) => JSON.stringify({ ...fact, fact_id: ids[place] }));
  await ask(statements.STORE_FACTS, [request.params.id, ids, types, payloads]);
  response.status(202).json({ facts: ids.map((id, place) => ({ id, type: types[place], outcome: 'pending' })), dry_run });
});

app.get('/t/:token', async (request, response) => {
  const account = request.query['account_id'] as string;
  const [row] = await ask(statements.CLICK, [account, request.params.token.toLowerCase()]);
  const { url, token, id, expires_at } = row as Record<'url' | 'token' | 'id' | 'expires_at', string>;
  const landing = new URL(url);
  landing.searchParams.set('via', token);
  landing.searchParams.set('referral', id);
  const seconds = Math.floor((Date.parse(expires_at) - Date.now()) / 1000);
  response.setHeader('Set-Cookie', `affiliate_referral_${account}=${id}; Max-Age=${seconds}; Path=/t; HttpOnly; SameSite=Lax`);
  response.redirect(302, landing.href);
});

app.get('/api/v1/payouts', authenticated, async (_request, response) => {
  response.json({ data: await ask(statements.ELIGIBLE, [response.locals['account']]) });
});

const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());

function expanded({ campaign, sale, referral, customer, affiliate, ...commission }: Row): Row {
  return {
    ...commission,
    campaign: campaignOf(campaign as Row),
    sale: saleOf(
      inUtc(sale as Row),
      referral && referralOf(referral as Row, customer as Row | null),
      affiliate && nameOf(affiliate as Row),
    ),
  };
}

function campaignOf(row: Row): Row {
  const { account_id: _, terms_changed_at: _t, rewarded_since: _w, is_default, commission_basis_points, ...columns } = inUtc(row);
  return { ...columns, default: is_default, commission_percent: Number(commission_basis_points) / 100 };
}

function saleOf(row: Row, referral: unknown, affiliate: unknown): Row {
  const {
    account_id: _,
    psp_promotion_code_id: _p,
    no_commission_reason: _n,
    named_referral_id: _r,
    credit_note_refund_cents: _nr,
    credit_note_tax_cents: _nt,
    passed_over: _po,
    limits: _x,
    contested: _c,
    disputed: _d,
    excluded: _e,
    reconsidered_at: _ra,
    report: _rp,
    tax_ignored: _ti,
    assigned_referral_id: _ar,
    itemized: _it,
    redated_from: _rf,
    repeats_sale_id: _rs,
    uncounted_refund_cents: _ur,
    connection_id: _ci,
    name_of_group: _ng,
    names: _na,
    imported_at: _ia,
    imported_refund_cents: _if,
    ...sale
  } = row;
  const sale_amount_cents = Number(sale['charge_amount_cents']) - Number(sale['tax_amount_cents']);
  const names = { psp_charge_id: null, psp_payment_intent_id: null, psp_invoice_id: null };
  return { ...sale, ...names, livemode: row['livemode'] !== false, sale_amount_cents, referral, affiliate };
}

function referralOf({ id, conversion_state }: Row, customer: Row | null): Row {
  if (!customer) return { id, conversion_state, psp_customer_id: null, customer: null };
  const { account_id: _, exclusions: _x, trials: _t, stray_reference: _s, joins: _j, ...record } = inUtc(customer);
  return { id, conversion_state, psp_customer_id: record['psp_customer_id'], customer: record };
}

function nameOf({ id, email, first_name, last_name }: Row): Row {
  return { id, email, first_name, last_name };
}

/** Rewrites the instants in a row of `to_jsonb` in the form of API responses. */
function inUtc(row: Row): Row {
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'string' && name.endsWith('_at')) row[name] = instant(value.replace('T', ' ').replace('+00:00', '+00'));
  }
  return row;
}

/** Converts `2026-11-22 10:00:00.5+00` to `2026-11-22T10:00:00.500Z`. */
function instant(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}
