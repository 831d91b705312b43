import { sendDueMail } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Changes } from '../contract/changes.ts';
import type { Fields } from '../support/http.ts';
import { useService, useAccount } from '../support/suite.ts';
import { Assistant } from './assistant.ts';
import { allRows, eventsOf, withoutNulls } from './rows.ts';
import { WRITES } from './writes.ts';

const service = useService();
const account = useAccount(service, 'file');
let assistant: Assistant;
let changes: Changes;

beforeAll(async () => {
  assistant = await Assistant.overHttp(service, account.apiKey);
  changes = await Changes.watch(service.databaseUrl);
});
afterAll(async () => {
  await changes.close();
  await assistant[Symbol.asyncDispose]();
});

it('previews are tested for every write of every tool', async () => {
  const { tools } = await assistant.client.listTools();
  const atProvider = ['affiliate_promo_codes', 'manage_affiliate_coupons'];
  const offered = tools
    .filter(({ name, annotations }) => !annotations!.readOnlyHint && !atProvider.includes(name))
    .flatMap(({ name, inputSchema }) => {
      const { action } = inputSchema.properties as Record<string, { enum?: string[] }>;
      return action!.enum!.map((each) => `${name} ${each}`);
    })
    // Only computes, so no write follows the preview.
    .filter((each) => each !== 'manage_rewards effect');
  expect(WRITES.map(({ tool, action }) => `${tool} ${action}`).toSorted()).toEqual(offered.toSorted());
});

describe.each(WRITES)('$tool $action', ({ tool, action, prepare, events }) => {
  it('has a preview that changes nothing and returns the result of the following write', async () => {
    const args = { action, ...(await prepare(service, account)) };
    const known = idsIn(await allRows(service));
    await changes.take();

    const preview = await assistant.call(tool, args);
    expect(preview).toMatchObject({ isError: false, body: { dry_run: true } });
    // Only the token of the preview is stored.
    expect((await changes.take()).filter((change) => change !== 'previewed_call INSERT')).toEqual([]);

    const emittedBefore = (await eventsOf(service, account.id)).length;
    const acted = await assistant.call(tool, { ...args, dry_run: false });
    expect(acted).toMatchObject({ isError: false, body: { dry_run: false, replayed: false } });
    const emitted = (await eventsOf(service, account.id)).slice(emittedBefore);
    expect(await changes.take()).not.toEqual([]);

    expect(emitted.map(({ type }) => type)).toEqual(events);
    expect(withoutNewIds(preview.body['result'], known)).toEqual(withoutNewIds(acted.body['result'], known));
    // A preview of a run or an export locks nothing, and does not show which payouts would be claimed or released, nor their commissions.
    const shown = claims.includes(tool)
      ? emitted.filter(({ type }) => !['payout.updated', 'commission.paid'].includes(type))
      : emitted;
    const inFull = completed(preview.body['events'] as Emitted[], preview.body['result'], shown);
    expect(withoutNewIds(inFull, known)).toEqual(withoutNulls(withoutNewIds(shown, known)));
  });

  it('acts once per idempotency key', async () => {
    const args = { action, ...(await prepare(service, account)), dry_run: false, idempotency_key: `${tool} ${action}` };
    const first = await assistant.call(tool, args);
    await changes.take();
    const second = await assistant.call(tool, args);
    expect(second).toEqual({ isError: false, body: { ...first.body, replayed: true } });
    expect(await changes.take()).toEqual([]);
  });
});

it('a preview sends no email', async () => {
  const invite = (email: string, more: Fields) =>
    assistant.result('manage_invitations', { action: 'create', kind: 'member', email, ...more });
  await invite('previewed@example.com', {});
  await invite('invited@example.com', { dry_run: false });
  await service.mailbox.take('invited@example.com', /./);
  const { id } = await WRITES.find(({ tool, action }) => tool === 'manage_affiliates' && action === 'update')!.prepare(
    service,
    account,
  );
  await account.api.patch(`/affiliates/${String(id)}`, { walleta_email: 'former@example.com' });
  await service.services.database.kysely
    .updateTable('affiliate')
    .set({ user_id: account.ownerId })
    .where('id', '=', id as string)
    .execute();
  const redirect = { action: 'update', id, walleta_email: 'new@example.com' };
  await assistant.result('manage_affiliates', redirect);
  await sendDueMail(service.services);
  expect(service.mailbox.mails.filter(({ to }) => ['previewed@example.com', 'former@example.com'].includes(to))).toEqual([]);
  await assistant.result('manage_affiliates', { ...redirect, dry_run: false });
  await service.mailbox.take('former@example.com', /has changed your payout details/);
});

it('a preview is refused by database constraints like the write', async () => {
  const { prepare } = WRITES.find(({ tool, action }) => tool === 'manage_affiliates' && action === 'create')!;
  const args = { action: 'create', ...(await prepare(service, account)) };
  await assistant.call('manage_affiliates', { ...args, dry_run: false });
  expect(await assistant.call('manage_affiliates', args)).toMatchObject({
    isError: true,
    body: { code: 'VALIDATION_ERROR', details: [{ path: 'email', code: 'taken' }] },
  });
});

type Emitted = Awaited<ReturnType<typeof eventsOf>>[number];

/** Adds the fields that an event of a preview leaves out, because the result of the preview shows them. */
function completed(previewed: Emitted[], result: unknown, emitted: Emitted[]): Emitted[] {
  const records = new Map<unknown, Fields>();
  JSON.stringify(result, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'id' in value) records.set(value.id, value);
    return value;
  });
  return previewed.map((event, place) => {
    const data = event.data as Fields;
    const record = records.get(data['id']) ?? {};
    const fields = Object.keys((emitted[place]?.data ?? {}) as Fields).filter((name) => name in record);
    return { ...event, data: { ...Object.fromEntries(fields.map((name) => [name, record[name]])), ...data } };
  });
}

/** Tools whose writes claim payouts. */
const claims = ['manage_payout_exports', 'manage_payout_runs'];
const ID = /\b[a-z]+_[0-9a-hjkmnp-tv-z]{26}\b/g;

function idsIn(value: unknown): Set<string> {
  return new Set(JSON.stringify(value).match(ID));
}

/** Replaces generated ids by their kind, because a preview and the write generate different ones. */
function withoutNewIds(value: unknown, known: Set<string>): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(ID, (id) => (known.has(id) ? id : id.slice(0, id.indexOf('_'))))) as Fields;
}
