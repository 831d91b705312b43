import {
  MailFailure,
  type Services,
  cancelOrphanedDeliveries,
  checkPortalHosts,
  mailRequestedLinks,
  purgeDeletedAccounts,
  sendDueMail,
} from '@affiliate/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { onServer } from '../support/postgres.ts';
import { program } from '../support/program.ts';
import { refuseRows } from '../support/refused-rows.ts';
import { useAccount, useService } from '../support/suite.ts';

const service = useService({ writesRows: true });
const account = useAccount(service);
let jobs: Services['jobs'];
/** Messages of the errors in the log, with the rows that they name. */
let errors: string[];
let logging: Services;

beforeAll(() => {
  ({ jobs } = service.services);
  service.services.jobs = { send: () => undefined };
});
afterAll(() => {
  service.services.jobs = jobs;
});
beforeEach(() => {
  errors = [];
  const log = {
    ...service.services.log,
    error: (fields: { row?: string }, text: string) => errors.push(`${fields.row ?? ''} ${text}`),
  };
  logging = { ...service.services, log };
});

const db = () => service.services.database.kysely;
/** The code of PostgreSQL’s error for a lock that was not available. */
const LOCK_TIMEOUT = '55P03';
const LEFT_OUT = 'a row could not be changed, and was left out';

describe('an email whose row cannot be changed holds up no other', () => {
  /** Leaves `count` emails in the outbox, named from `mail_a`, with the given values of columns. */
  async function leaveMails(count: number, values: Readonly<Record<string, string>>): Promise<string[]> {
    await db().deleteFrom('outgoing_mail').execute();
    expect((await account.api.post('/invitations', { kind: 'member', email: 'guest@example.com' })).status).toBe(201);
    const ids = Array.from({ length: count }, (_, nth) => `mail_${String.fromCodePoint(97 + nth)}`);
    const columns = ['account_id', 'kind', 'is_urgent', 'recipient', 'host', 'is_joined', 'sealed_mail', 'attempts'];
    await onServer(
      service.databaseUrl,
      `insert into outgoing_mail (id, ${columns.join()}, next_attempt_at, expires_at, created_at)
       select id, ${columns.map((name) => values[name] ?? name).join()}, next_attempt_at, expires_at, created_at
       from (select ${columns.join()}, next_attempt_at, expires_at, created_at from outgoing_mail) mail, unnest('{${ids.join()}}'::text[]) id;
       delete from outgoing_mail where id <> all ('{${ids.join()}}'::text[])`,
    );
    return ids;
  }

  /** Sends what is due. Returns the ids of the sent emails. */
  async function sendAll(fail?: (id: string) => void): Promise<string[]> {
    const sent: string[] = [];
    const mailer = {
      send: async ({ id }: { id: string }) => {
        fail?.(id);
        sent.push(id);
      },
    };
    await sendDueMail({ ...logging, mailer });
    return sent.toSorted();
  }
  const refuse = (id: string) =>
    refuseRows(service.databaseUrl, { table: 'outgoing_mail', event: 'update', when: `old.id = '${id}'` });

  it.each([
    ['that is urgent', 'true'],
    ['that is sent in turn', 'false'],
  ])('%s', async (_, is_urgent) => {
    const ids = await leaveMails(6, { is_urgent });
    const lift = await refuse('mail_a');
    expect(await sendAll()).toEqual(ids.slice(1));
    expect(errors).toEqual([`mail_a ${LEFT_OUT}`]);
    await lift();
    expect(await sendAll()).toEqual(['mail_a']);
  });

  it.each(['mail_a', 'mail_c'])('if they are joined (%s)', async (broken) => {
    await leaveMails(4, { is_urgent: 'false', is_joined: 'true' });
    const lift = await refuse(broken);
    const sent = await sendAll();
    expect(sent).toHaveLength(1);
    const left = async () =>
      (await db().selectFrom('outgoing_mail').select(['id', 'attempts']).execute()).map((row) => ({ ...row }));
    expect(await left()).toEqual([{ id: broken, attempts: 0 }]);
    await lift();
    expect(await sendAll()).toEqual([broken]);
  });

  it.each(['mail_a', 'mail_c'])('if it cannot be decrypted, and they are joined (%s)', async (broken) => {
    const ids = await leaveMails(4, { is_urgent: 'false', is_joined: 'true' });
    await db().updateTable('outgoing_mail').set({ sealed_mail: 'v1.unreadable' }).where('id', '=', broken).execute();
    const [sent, ...others] = await sendAll();
    expect([ids, others]).toEqual([expect.arrayContaining([sent]), []]);
    const left = await db().selectFrom('outgoing_mail').select(['id', 'attempts', 'last_error']).execute();
    expect(left).toEqual([{ id: broken, attempts: 1, last_error: expect.any(String) as string }]);
  });

  it('if their host is busy', async () => {
    await leaveMails(6, { is_urgent: 'false', host: `'busy.example'`, recipient: 'id' });
    await refuse('mail_f');
    let refusals = 0;
    const later = () => {
      refusals += 1;
      throw new MailFailure('later', new Error('450 4.2.1 Try later'));
    };
    expect(await sendAll(later)).toEqual([]);
    const rows = await db().selectFrom('outgoing_mail').select(['id', 'next_attempt_at']).orderBy('id').execute();
    const now = service.clock.instant();
    expect(rows.filter(({ next_attempt_at }) => next_attempt_at! <= now).map(({ id }) => id)).toEqual(['mail_f']);
    expect(refusals).toBeLessThan(6);
  });

  it('and urgent ones are sent although another transaction has locked the others for too long', async () => {
    await leaveMails(2, { is_urgent: `id = 'mail_a'` });
    const rows = { table: 'outgoing_mail', event: 'update', when: 'not old.is_urgent', code: LOCK_TIMEOUT } as const;
    const lift = await refuseRows(service.databaseUrl, rows);
    const sent: string[] = [];
    await expect(sendAll((id) => void sent.push(id))).rejects.toThrow('broken');
    expect(sent).toEqual(['mail_a']);
    await lift();
    expect(await sendAll()).toEqual(['mail_b']);
  });
});

describe('a row that cannot be claimed or finished holds up no other', () => {
  const refuse = (table: string, event: 'update' | 'delete', when: string) =>
    refuseRows(service.databaseUrl, { table, event, when });

  it.each([
    ['update', 'error: broken'],
    ['delete', undefined],
  ] as const)('of a requested link (%s)', async (event, outcome) => {
    const at = service.clock.instant();
    const { ownerEmail: email } = account;
    const ids = ['prr_1', 'prr_2', 'prr_3'];
    const rows = ids.map((id) => ({ id, email, lease_until: at, expires_at: '2100-01-01T00:00:00.000Z' }));
    await db().insertInto('password_reset_request').values(rows).execute();
    const lift = await refuse('password_reset_request', event, `old.id = 'prr_1'`);
    expect(await mailRequestedLinks(logging).catch(String)).toBe(outcome);
    const left = async () => (await db().selectFrom('password_reset_request').select('id').execute()).map(({ id }) => id);
    expect(await left()).toEqual(['prr_1']);
    await lift();
    service.clock.advance(2, 'minutes');
    await mailRequestedLinks(logging);
    expect(await left()).toEqual([]);
  });

  it('of a portal host', async () => {
    const others = [await service.createAccount(), await service.createAccount()];
    const at = service.clock.instant();
    for (const [nth, { id }] of [account, ...others].entries())
      await db()
        .insertInto('portal_host')
        .values({ account_id: id, host: `portal-${nth}.example`, check_at: at, created_at: at })
        .execute();
    await refuse('portal_host', 'update', `old.account_id = '${account.id}'`);
    await expect(checkPortalHosts(logging)).rejects.toThrow('broken');
    const due = await db().selectFrom('portal_host').select('account_id').where('check_at', '<=', at).execute();
    expect(due).toEqual([{ account_id: account.id }]);
    expect(errors).toEqual([`${account.id} ${LEFT_OUT}`]);
  });

  it('of a delivery to a deleted endpoint', async () => {
    await account.client.webhookEndpoints.create.mutate({
      name: 'R',
      url: 'http://127.0.0.1/a',
      event_types: ['affiliate.created'],
    });
    await program(account);
    await program(account);
    await onServer(service.databaseUrl, `update webhook_endpoint set deleted_at = now() where account_id = '${account.id}'`);
    const of = () =>
      db().selectFrom('webhook_delivery').select(['id', 'status']).where('account_id', '=', account.id).orderBy('id').execute();
    const [broken, other] = await of();
    const lift = await refuse('webhook_delivery', 'update', `old.id = '${broken!.id}'`);
    await expect(cancelOrphanedDeliveries(logging)).rejects.toThrow('broken');
    expect(await of()).toEqual([broken, { id: other!.id, status: 'canceled' }]);
    await lift();
    expect(await cancelOrphanedDeliveries(logging)).toBe(1);
  });

  it('of an account to delete, and the failure is reported', async () => {
    const others = [await service.createAccount(), await service.createAccount()];
    const ids = others.map(({ id }) => id);
    await db().updateTable('account').set({ deletion_scheduled_at: service.clock.instant() }).where('id', 'in', ids).execute();
    const lift = await refuse('account', 'delete', `old.id = '${ids[0]}'`);
    await expect(purgeDeletedAccounts(logging)).rejects.toThrow('broken');
    const left = await db().selectFrom('account').select('id').where('id', 'in', ids).execute();
    expect(left).toEqual([{ id: ids[0] }]);
    await lift();
    expect(await purgeDeletedAccounts(logging)).toBe(1);
  });
});
