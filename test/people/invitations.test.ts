import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import type { ErrorBody, Reply } from '../support/http.ts';
import { type Person, newMember, ownerOf, signedIn } from '../support/people.ts';
import { type Inputs, type Outputs, type TestAccount, type TestService, startService } from '../support/service.ts';

type Invitation = Outputs['invitations']['create'];
type Page = Outputs['invitations']['list'];
type Joined = Outputs['invitations']['join'];
type Preview = Outputs['invitations']['preview'];

let service: TestService;
let account: TestAccount;
let campaignId: string;
let emails = 0;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.createAccount();
  const campaign = { name: 'Friends', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 10 };
  campaignId = (await account.api.post<{ id: string }>('/campaigns', campaign)).body.id;
});

const newEmail = () => `invited-${(emails += 1)}@example.com`;
const forMember = (input: Partial<Inputs['invitations']['create']> = {}) => ({ kind: 'member', email: newEmail(), ...input });
const forAffiliate = () => ({ kind: 'affiliate', email: newEmail(), campaign_id: campaignId });
const post = (body: unknown) => account.api.post<Invitation & ErrorBody>('/invitations', body);
const patch = (id: string, body: unknown) => account.api.patch<Invitation & ErrorBody>(`/invitations/${id}`, body);

async function invite(body: Record<string, unknown> = forMember()): Promise<Invitation> {
  const reply = await post(body);
  expect(reply).toMatchObject({ status: 201 });
  return reply.body;
}

async function tokenOf({ email }: { email: string }): Promise<string> {
  const mail = await service.mailbox.take(email, /Join|Become/);
  return /\/invitation#token=(\S+)/.exec(mail.text)![1]!;
}

async function rolesOf(email: string): Promise<string[]> {
  const rows = await service.services.database.kysely
    .selectFrom('membership')
    .innerJoin('auth_user', 'auth_user.id', 'membership.user_id')
    .select('membership.role')
    .where('account_id', '=', account.id)
    .where('auth_user.email', '=', email)
    .execute();
  return rows.map(({ role }) => role);
}

const refused = (path: string) => ({ status: 422, body: { code: 'VALIDATION_ERROR', details: [{ path }] } });

describe('create', () => {
  it('mails a link and shows no token', async () => {
    const { status, body, text } = await post({ kind: 'member', email: 'New.Person@example.com' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^inv_/),
      kind: 'member',
      email: 'New.Person@example.com',
      role: 'member',
      campaign_id: null,
      status: 'pending',
      invited_by_user_id: null,
      accepted_by_user_id: null,
      affiliate_id: null,
      expires_at: new Date(service.clock.now().getTime() + 7 * 86_400_000).toISOString(),
      resent_at: null,
      accepted_at: null,
      revoked_at: null,
      created_at: service.clock.instant(),
      updated_at: service.clock.instant(),
    });
    const token = await tokenOf(body);
    expect(text).not.toContain(token);
    const rows = await service.services.database.kysely.selectFrom('invitation').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('accepts the campaign of an affiliate under either name', async () => {
    expect((await invite(forAffiliate())).campaign_id).toBe(campaignId);
    const { campaign_id: _, ...rest } = forAffiliate();
    expect((await invite({ ...rest, campaignId })).campaign_id).toBe(campaignId);
    expect(await post({ ...forAffiliate(), campaignId: 'camp_other' })).toMatchObject(refused('campaignId'));
  });

  it('refuses fields that do not belong together, naming the field', async () => {
    expect(await post({ kind: 'affiliate', email: newEmail() })).toMatchObject(refused('campaign_id'));
    expect(await post({ ...forMember(), campaign_id: campaignId })).toMatchObject(refused('campaign_id'));
    expect(await post({ ...forAffiliate(), role: 'admin' })).toMatchObject(refused('role'));
    expect(await post({ ...forMember(), role: 'king' })).toMatchObject(refused('role'));
    expect(await post({ ...forMember(), email: 'nobody' })).toMatchObject(refused('email'));
    expect(await post({ email: newEmail() })).toMatchObject(refused('kind'));
    expect(await post({ kind: 'member' })).toMatchObject(refused('email'));
    expect(await post({ ...forMember(), status: 'accepted' })).toMatchObject(refused('status'));
    expect(await post({ ...forMember(), email: account.ownerEmail.toUpperCase() })).toMatchObject(refused('email'));
  });

  it('refuses campaigns of another account and archived ones', async () => {
    const other = await service.createAccount();
    const campaign = { name: 'Theirs', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 10 };
    const { body } = await other.api.post<{ id: string }>('/campaigns', campaign);
    expect(await post({ ...forAffiliate(), campaign_id: body.id })).toMatchObject(refused('campaign_id'));
    await account.api.delete(`/campaigns/${campaignId}`);
    expect(await post(forAffiliate())).toMatchObject(refused('campaign_id'));
  });

  it('keeps one pending invitation per address and kind', async () => {
    const body = forMember();
    const first = await invite(body);
    expect(await post({ ...body, email: body.email.toUpperCase() })).toMatchObject(refused('email'));
    await invite({ ...forAffiliate(), email: body.email });
    await patch(first.id, { invitation_action: 'revoke' });
    await invite(body);
  });

  it('keeps one pending invitation for concurrent requests', async () => {
    const body = forMember();
    const replies = await Promise.all(Array.from({ length: 10 }, () => post(body)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(9);
    await tokenOf(body);
    expect(service.mailbox.mails.filter(({ to }) => to === body.email)).toHaveLength(0);
  });

  it('lets signed-in owners invite owners, but no admin and no key', async () => {
    const admin = await newMember(service, account, 'admin');
    const owner = await ownerOf(service, account);
    expect((await post(forMember({ role: 'owner' }))).status).toBe(403);
    const send = (by: Person) => by.browser.send('POST', '/api/v1/invitations', { body: forMember({ role: 'owner' }) });
    expect((await send(admin)).status).toBe(403);
    expect(await send(owner)).toMatchObject({ status: 201, body: { role: 'owner', invited_by_user_id: owner.id } });
  });

  it('escapes names in the HTML part', async () => {
    await service.services.database.kysely
      .updateTable('account')
      .set({ name: 'A <b>& Co' })
      .where('id', '=', account.id)
      .execute();
    const { email } = await invite();
    const mail = await service.mailbox.take(email, /Join/);
    expect(mail.subject).toBe('Join A <b>& Co');
    expect(mail.html).toContain('A &lt;b&gt;&amp; Co');
  });
});

describe('list and get', () => {
  it('filters by kind and status', async () => {
    const member = await invite();
    const affiliate = await invite(forAffiliate());
    await patch(affiliate.id, { status: 'revoked' });
    const list = async (query: string) => {
      const { body } = await account.api.get<Page>('/invitations', query);
      return body.data.map(({ id }) => id);
    };
    expect(await list('')).toEqual([affiliate.id, member.id]);
    expect(await list('kind=member')).toEqual([member.id]);
    expect(await list('status=revoked')).toEqual([affiliate.id]);
    expect(await list('kind=member&status=revoked')).toEqual([]);
    expect(await account.api.get('/invitations', 'status=expired')).toMatchObject(refused('status'));
  });

  it('finds nothing under the wrong kind, nor in another account', async () => {
    const { id } = await invite();
    expect((await account.api.get(`/invitations/${id}`, 'kind=member')).status).toBe(200);
    expect((await account.api.get(`/invitations/${id}`, 'kind=affiliate')).status).toBe(404);
    expect((await patch(id, { kind: 'affiliate', status: 'revoked' })).status).toBe(404);
    expect((await account.api.delete(`/invitations/${id}?kind=affiliate`)).status).toBe(404);
    expect((await account.api.delete(`/invitations/${id}`, { kind: 'affiliate' })).status).toBe(404);
    expect((await account.api.post(`/invitations/${id}/resend`, { kind: 'affiliate' })).status).toBe(404);
    expect((await account.api.post(`/invitations/${id}/resend?kind=affiliate`)).status).toBe(404);
    const other = await service.createAccount();
    expect((await other.api.get(`/invitations/${id}`)).status).toBe(404);
    expect((await other.api.delete(`/invitations/${id}`)).status).toBe(404);
    expect((await account.api.get(`/invitations/${id}`)).body).toMatchObject({ status: 'pending' });
  });
});

describe('revoke and delete', () => {
  it.each([{ invitation_action: 'revoke' }, { status_action: 'revoke' }, { status: 'revoked' }])(
    'revokes by %j',
    async (body) => {
      const invitation = await invite();
      expect(await patch(invitation.id, body)).toMatchObject({
        status: 200,
        body: { status: 'revoked', revoked_at: service.clock.instant() },
      });
      expect((await patch(invitation.id, body)).status).toBe(422);
      const join = { token: await tokenOf(invitation), password: 'long enough' };
      expect((await new Browser(service.url, service.services.publicUrl).mutate('invitations.join', join)).status).toBe(422);
    },
  );

  it('refuses aliases that contradict each other', async () => {
    const { id } = await invite();
    expect(await patch(id, { invitation_action: 'accept', status: 'revoked' })).toMatchObject(refused('invitation_action'));
    expect(await patch(id, { status: 'accepted' })).toMatchObject(refused('status'));
    expect((await patch(id, { invitation_action: 'revoke', status_action: 'revoke', status: 'revoked' })).status).toBe(200);
  });

  it('deletes the invitation, and its link stops working', async () => {
    const invitation = await invite();
    const token = await tokenOf(invitation);
    expect((await account.api.delete(`/invitations/${invitation.id}`)).status).toBe(204);
    expect((await account.api.get(`/invitations/${invitation.id}`)).status).toBe(404);
    const visitor = new Browser(service.url, service.services.publicUrl);
    expect((await visitor.mutate('invitations.preview', { token })).status).toBe(404);
  });

  it('changes the offered role, that of an owner by owners only', async () => {
    const { id } = await invite();
    expect((await patch(id, { role: 'admin' })).body.role).toBe('admin');
    expect((await patch(id, { role: 'owner' })).status).toBe(403);
    const affiliate = await invite(forAffiliate());
    expect(await patch(affiliate.id, { role: 'admin' })).toMatchObject(refused('role'));
  });
});

describe('resend', () => {
  it('sends a new link in place of the former one, at most once a minute', async () => {
    const invitation = await invite();
    const former = await tokenOf(invitation);
    service.clock.advance(8, 'days');
    const resend = () => account.api.post<Invitation & ErrorBody>(`/invitations/${invitation.id}/resend`);
    const { status, body } = await resend();
    expect(status).toBe(200);
    expect(body.resent_at).toBe(service.clock.instant());
    expect(Date.parse(body.expires_at) - service.clock.now().getTime()).toBe(7 * 86_400_000);
    const visitor = new Browser(service.url, service.services.publicUrl);
    expect((await visitor.mutate('invitations.preview', { token: former })).status).toBe(404);
    expect((await visitor.mutate('invitations.preview', { token: await tokenOf(invitation) })).status).toBe(200);

    service.clock.advance(20, 'seconds');
    const soon = await resend();
    expect(soon).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(soon.headers.get('retry-after')).toBe('40');
    service.clock.advance(40, 'seconds');
    expect((await resend()).status).toBe(200);
  });

  it('is only for pending invitations', async () => {
    const { id } = await invite();
    await patch(id, { status: 'revoked' });
    expect((await account.api.post(`/invitations/${id}/resend`)).status).toBe(422);
  });
});

describe('accept over REST', () => {
  it('makes the user of a key’s call a member', async () => {
    const person = await newMember(service, await service.createAccount(), 'member');
    const { id } = await invite(forMember({ email: person.email, role: 'admin' }));
    expect(await patch(id, { invitation_action: 'accept' })).toMatchObject(refused('user_id'));
    const accepted = await patch(id, { invitation_action: 'accept', user_id: person.id });
    expect(accepted).toMatchObject({ status: 200, body: { status: 'accepted', accepted_by_user_id: person.id } });
    expect(await rolesOf(person.email)).toEqual(['admin']);
    expect((await patch(id, { invitation_action: 'accept', user_id: person.id })).status).toBe(422);
    expect((await patch(id, { status: 'revoked' })).status).toBe(422);
  });

  it('accepts only the invited user, and does not reveal which users exist', async () => {
    const stranger = await newMember(service, await service.createAccount(), 'member');
    const { id } = await invite();
    const foreign = await patch(id, { status_action: 'accept', user_id: stranger.id });
    const unknown = await patch(id, { status_action: 'accept', user_id: 'usr_none' });
    expect(foreign).toMatchObject(refused('user_id'));
    expect(unknown.body).toEqual(foreign.body);
    expect(await patch(id, { user_id: stranger.id })).toMatchObject(refused('user_id'));
  });

  it('lets the invited person accept in their own session, and nothing else', async () => {
    const person = await newMember(service, await service.createAccount(), 'member');
    const { id } = await invite(forMember({ email: person.email }));
    const others = await invite();
    const send = (method: string, path: string, body?: unknown): Promise<Reply> =>
      person.browser.send(method, `/api/v1${path}`, { body, headers: { 'X-Account-Id': account.id } });
    expect((await send('GET', '/campaigns')).status).toBe(403);
    expect((await send('GET', `/invitations/${id}`)).status).toBe(403);
    expect((await send('PATCH', `/invitations/${id}`, { status: 'revoked' })).status).toBe(403);
    expect((await send('PATCH', `/invitations/${id}`, { invitation_action: 'accept', role: 'admin' })).status).toBe(403);
    expect((await send('PATCH', `/invitations/${others.id}`, { invitation_action: 'accept' })).status).toBe(404);
    expect((await send('PATCH', `/invitations/${id}`, { invitation_action: 'accept' })).status).toBe(200);
    expect((await send('GET', '/campaigns')).status).toBe(200);
  });

  it('lets no admin accept for another person', async () => {
    const owner = await ownerOf(service, account);
    const { id } = await invite();
    const reply = await owner.browser.send('PATCH', `/api/v1/invitations/${id}`, { body: { invitation_action: 'accept' } });
    expect(reply.status).toBe(403);
  });

  it('never demotes', async () => {
    const { id } = await invite();
    await service.services.database.kysely
      .updateTable('invitation')
      .set({ email: account.ownerEmail })
      .where('id', '=', id)
      .execute();
    expect((await patch(id, { invitation_action: 'accept', user_id: account.ownerId })).status).toBe(200);
    expect(await rolesOf(account.ownerEmail)).toEqual(['owner']);
  });

  it('creates an active affiliate in the campaign', async () => {
    const invitation = await invite(forAffiliate());
    const { body } = await patch(invitation.id, { invitation_action: 'accept' });
    const affiliate = await account.api.get(`/affiliates/${body.affiliate_id}`);
    expect(affiliate.body).toMatchObject({ email: invitation.email, state: 'active', campaign_id: campaignId });
  });

  it('activates the existing affiliate', async () => {
    const email = newEmail();
    const pending = { email: email.toUpperCase(), campaign_id: campaignId, state: 'pending' };
    const { body: affiliate } = await account.api.post<{ id: string }>('/affiliates', pending);
    const { id } = await invite({ ...forAffiliate(), email });
    expect((await patch(id, { invitation_action: 'accept' })).body.affiliate_id).toBe(affiliate.id);
    expect((await account.api.get(`/affiliates/${affiliate.id}`)).body).toMatchObject({ state: 'active' });
  });

  it('fails after seven days', async () => {
    const { id } = await invite(forAffiliate());
    service.clock.advance(7, 'days');
    expect((await patch(id, { invitation_action: 'accept' })).status).toBe(422);
    expect((await patch(id, { invitation_action: 'revoke' })).status).toBe(200);
  });

  it('creates one member, and one affiliate, for twenty concurrent requests', async () => {
    const person = await newMember(service, await service.createAccount(), 'member');
    const member = await invite(forMember({ email: person.email }));
    const affiliate = await invite(forAffiliate());
    const attempts = Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0
        ? patch(member.id, { invitation_action: 'accept', user_id: person.id })
        : patch(affiliate.id, { invitation_action: 'accept' }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(statuses.filter((status) => status === 422)).toHaveLength(18);
    expect(await rolesOf(person.email)).toEqual(['member']);
    const { body } = await account.api.get<{ data: unknown[] }>('/affiliates', { email: affiliate.email });
    expect(body.data).toHaveLength(1);
  });
});

describe('accept with the mailed link', () => {
  let visitor: Browser;
  beforeEach(() => {
    visitor = new Browser(service.url, service.services.publicUrl);
  });
  const join = (browser: Browser, input: Inputs['invitations']['join']) => browser.mutate<Joined>('invitations.join', input);

  it('shows the offer, then creates a user who can sign in', async () => {
    const invitation = await invite(forMember({ role: 'admin' }));
    const token = await tokenOf(invitation);
    const preview = await visitor.mutate<Preview>('invitations.preview', { token });
    expect(preview.body.result!.data).toEqual({
      kind: 'member',
      email: invitation.email,
      role: 'admin',
      account_name: 'Test account',
      campaign_name: null,
      status: 'pending',
      expires_at: invitation.expires_at,
      has_user: false,
      signed_in_as: null,
    });
    expect((await join(visitor, { token })).status).toBe(422);
    expect((await join(visitor, { token, password: 'short' })).status).toBe(422);
    const joined = await join(visitor, { token, password: 'a good password', first_name: 'Ada', last_name: 'Lovelace' });
    expect(joined.body.result!.data).toEqual({
      kind: 'member',
      account_id: account.id,
      email: invitation.email,
      user_created: true,
    });
    const browser = await signedIn(service, invitation.email, 'a good password');
    const session = await browser.query<Outputs['session']['get']>('session.get');
    expect(session.body.result!.data).toMatchObject({ user: { name: 'Ada Lovelace' }, active_account_id: account.id });
    expect((await join(visitor, { token, password: 'another password' })).status).toBe(422);
  });

  it('asks a person who has a user to sign in', async () => {
    const person = await newMember(service, await service.createAccount(), 'member');
    const token = await tokenOf(await invite(forMember({ email: person.email })));
    expect((await join(visitor, { token, password: 'a good password' })).status).toBe(401);
    expect((await join(person.browser, { token })).body.result!.data).toMatchObject({ user_created: false });
    expect(await rolesOf(person.email)).toEqual(['member']);
  });

  it('is refused for another person who has signed in', async () => {
    const person = await newMember(service, await service.createAccount(), 'member');
    const token = await tokenOf(await invite());
    expect((await join(person.browser, { token, password: 'a good password' })).status).toBe(403);
  });

  it('creates an affiliate without a user', async () => {
    const invitation = await invite(forAffiliate());
    const token = await tokenOf(invitation);
    expect((await visitor.mutate<Preview>('invitations.preview', { token })).body.result!.data.campaign_name).toBe('Friends');
    expect((await join(visitor, { token, first_name: 'Ada' })).body.result!.data).toMatchObject({ user_created: false });
    const { body } = await account.api.get<{ data: unknown[] }>('/affiliates', { email: invitation.email });
    expect(body.data).toMatchObject([{ first_name: 'Ada', state: 'active', campaign_id: campaignId }]);
  });

  it('creates one user for twenty concurrent requests', async () => {
    const invitation = await invite();
    const token = await tokenOf(invitation);
    const replies = await Promise.all(Array.from({ length: 20 }, () => join(visitor, { token, password: 'a good password' })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(19);
    expect(await rolesOf(invitation.email)).toEqual(['member']);
  });

  it('refuses an invented token', async () => {
    for (const token of ['x', 'A'.repeat(43), "'; drop table invitation; --"]) {
      expect((await join(visitor, { token, password: 'a good password' })).status).toBe(404);
    }
    expect((await join(visitor, { token: 'a\0b', password: 'a good password' })).status).toBe(422);
  });
});
