import { beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import type { Reply } from '../support/http.ts';
import { newMember, ownerOf, signedIn } from '../support/people.ts';
import type { Inputs, Outputs } from '../support/service.ts';
import { type Invitation, refused, useInvitationDesk } from './invitation-desk.ts';

type Joined = Outputs['invitations']['join'];
type Preview = Outputs['invitations']['preview'];

const desk = useInvitationDesk();
const { newEmail, forMember, forAffiliate, patch, invite, tokenOf, rolesOf } = desk;

describe('accept over REST', () => {
  it('makes the given user a member when it is called with a key', async () => {
    const person = await newMember(desk.service, await desk.service.createAccount(), 'member');
    const { id } = await invite(forMember({ email: person.email, role: 'admin' }));
    expect(await patch(id, { invitation_action: 'accept' })).toMatchObject(refused('user_id'));
    const accepted = await patch(id, { invitation_action: 'accept', user_id: person.id });
    expect(accepted).toMatchObject({ status: 200, body: { status: 'accepted', accepted_by_user_id: person.id } });
    expect(await rolesOf(person.email)).toEqual(['admin']);
    expect((await patch(id, { invitation_action: 'accept', user_id: person.id })).status).toBe(422);
    expect((await patch(id, { status: 'revoked' })).status).toBe(422);
  });

  it('accepts only the invited user, and does not reveal which users exist', async () => {
    const stranger = await newMember(desk.service, await desk.service.createAccount(), 'member');
    const { id } = await invite();
    const foreign = await patch(id, { status_action: 'accept', user_id: stranger.id });
    const unknown = await patch(id, { status_action: 'accept', user_id: 'usr_none' });
    expect(foreign).toMatchObject(refused('user_id'));
    expect({ ...unknown.body, request_id: '' }).toEqual({ ...foreign.body, request_id: '' });
    expect(await patch(id, { user_id: stranger.id })).toMatchObject(refused('user_id'));
  });

  it('lets the invited person accept in their own session, and nothing else', async () => {
    const person = await newMember(desk.service, await desk.service.createAccount(), 'member');
    const { id } = await invite(forMember({ email: person.email }));
    const others = await invite();
    const send = (method: string, path: string, body?: unknown): Promise<Reply> =>
      person.browser.send(method, `/api/v1${path}`, { body, headers: { 'X-Account-Id': desk.account.id } });
    expect((await send('GET', '/campaigns')).status).toBe(403);
    expect((await send('GET', `/invitations/${id}`)).status).toBe(403);
    expect((await send('PATCH', `/invitations/${id}`, { status: 'revoked' })).status).toBe(403);
    expect((await send('PATCH', `/invitations/${id}`, { invitation_action: 'accept', role: 'admin' })).status).toBe(403);
    expect((await send('PATCH', `/invitations/${others.id}`, { invitation_action: 'accept' })).status).toBe(404);
    expect((await send('PATCH', `/invitations/${id}`, { invitation_action: 'accept' })).status).toBe(200);
    expect((await send('GET', '/campaigns')).status).toBe(200);
  });

  it('does not let an admin accept for another person', async () => {
    const owner = await ownerOf(desk.service, desk.account);
    const { id } = await invite();
    const reply = await owner.browser.send('PATCH', `/api/v1/invitations/${id}`, { body: { invitation_action: 'accept' } });
    expect(reply.status).toBe(403);
  });

  it('never lowers the role of a member', async () => {
    const { id } = await invite();
    await desk.service.services.database.kysely
      .updateTable('invitation')
      .set({ email: desk.account.ownerEmail })
      .where('id', '=', id)
      .execute();
    expect((await patch(id, { invitation_action: 'accept', user_id: desk.account.ownerId })).status).toBe(200);
    expect(await rolesOf(desk.account.ownerEmail)).toEqual(['owner']);
  });

  it('creates an active affiliate in the campaign', async () => {
    const invitation = await invite(forAffiliate());
    const { body } = await patch(invitation.id, { invitation_action: 'accept' });
    const affiliate = await desk.account.api.get(`/affiliates/${body.affiliate_id}`);
    expect(affiliate.body).toMatchObject({ email: invitation.email, state: 'active', campaign_id: desk.campaignId });
  });

  it('activates the existing affiliate', async () => {
    const email = newEmail();
    const pending = { email: email.toUpperCase(), campaign_id: desk.campaignId, state: 'pending' };
    const { body: affiliate } = await desk.account.api.post<{ id: string }>('/affiliates', pending);
    const { id } = await invite({ ...forAffiliate(), email });
    expect((await patch(id, { invitation_action: 'accept' })).body.affiliate_id).toBe(affiliate.id);
    expect((await desk.account.api.get(`/affiliates/${affiliate.id}`)).body).toMatchObject({ state: 'active' });
  });

  describe('for an affiliate disabled or archived after the invitation', () => {
    const existing = async () => {
      const email = newEmail();
      const { body } = await desk.account.api.post<{ id: string }>('/affiliates', { email, campaign_id: desk.campaignId });
      return { ...forAffiliate(), email, affiliateId: body.id };
    };
    const stateOf = async (id: string) =>
      (await desk.account.api.get<{ state: string; archived_at: string | null }>(`/affiliates/${id}`)).body;
    const setState = async (id: string, state: string) =>
      expect((await desk.account.api.patch(`/affiliates/${id}`, { state })).status).toBe(200);

    it.each(['disabled', 'rejected', 'pending'])('is refused: %s', async (state) => {
      const { affiliateId, ...offer } = await existing();
      const invitation = await invite(offer);
      const token = await tokenOf(invitation);
      const [member, other] = [await invite(forMember({ email: offer.email })), await invite(forAffiliate())];
      await desk.account.api.patch(`/affiliates/${affiliateId}`, { first_name: 'Ada', state: 'active' });
      expect((await desk.account.api.get(`/invitations/${invitation.id}`)).body).toMatchObject({ status: 'pending' });

      await setState(affiliateId, state);
      const revoked = await desk.account.api.get<Invitation>(`/invitations/${invitation.id}`);
      expect(revoked.body).toMatchObject({ status: 'revoked', revoked_at: desk.service.clock.now().toISOString() });
      expect((await patch(invitation.id, { invitation_action: 'accept' })).status).toBe(422);
      const visitor = new Browser(desk.service.url, desk.service.services.publicUrl);
      expect((await visitor.mutate<Joined>('invitations.join', { token })).status).toBe(422);
      expect(await stateOf(affiliateId)).toMatchObject({ state });
      for (const { id } of [member, other])
        expect((await desk.account.api.get(`/invitations/${id}`)).body).toMatchObject({ status: 'pending' });

      const { id } = await invite(offer);
      await desk.account.api.patch(`/affiliates/${affiliateId}`, { last_name: 'King', state });
      expect((await patch(id, { invitation_action: 'accept' })).body).toMatchObject({ affiliate_id: affiliateId });
      expect(await stateOf(affiliateId)).toMatchObject({ state: 'active' });
    });

    it('is refused: archived', async () => {
      const { affiliateId, ...offer } = await existing();
      const { id } = await invite(offer);
      expect((await desk.account.api.delete(`/affiliates/${affiliateId}`)).status).toBe(204);
      expect((await patch(id, { invitation_action: 'accept' })).status).toBe(422);
      const again = await invite(offer);
      expect((await desk.account.api.delete(`/affiliates/${affiliateId}`)).status).toBe(204);
      expect((await patch(again.id, { invitation_action: 'accept' })).status).toBe(200);
    });

    it('is refused: created as disabled, in another spelling', async () => {
      const invitation = await invite(forAffiliate());
      const disabled = { email: invitation.email.toUpperCase(), campaign_id: desk.campaignId, state: 'disabled' };
      expect((await desk.account.api.post('/affiliates', disabled)).status).toBe(201);
      expect((await patch(invitation.id, { invitation_action: 'accept' })).status).toBe(422);
    });

    it('is refused: disabled, then restored or changed to the invited address', async () => {
      const { affiliateId, ...offer } = await existing();
      const change = async (fields: object) =>
        expect((await desk.account.api.patch(`/affiliates/${affiliateId}`, fields)).status).toBe(200);
      const accept = async (id: string) => (await patch(id, { invitation_action: 'accept' })).status;
      await setState(affiliateId, 'disabled');
      await desk.account.api.delete(`/affiliates/${affiliateId}`);
      const early = await invite(offer);
      await change({ archived_at: null });
      expect(await accept(early.id)).toBe(422);

      const elsewhere = await invite(forAffiliate());
      const kept = await invite(offer);
      await change({ email: offer.email.toUpperCase() });
      expect((await desk.account.api.get(`/invitations/${kept.id}`)).body).toMatchObject({ status: 'pending' });
      await change({ email: elsewhere.email.toUpperCase() });
      expect(await accept(elsewhere.id)).toBe(422);
      expect(await stateOf(affiliateId)).toMatchObject({ state: 'disabled', archived_at: null });
      expect(await accept(kept.id)).toBe(200);
    });

    it('leaves the affiliate disabled when both requests run concurrently', async () => {
      const invited = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const { affiliateId, ...offer } = await existing();
          return { affiliateId, id: (await invite(offer)).id };
        }),
      );
      const accepted = invited.map(({ id }) => patch(id, { invitation_action: 'accept' }));
      await Promise.all(invited.map(({ affiliateId }) => setState(affiliateId, 'disabled')));
      for (const { status } of await Promise.all(accepted)) expect([200, 422]).toContain(status);
      for (const { affiliateId } of invited) expect(await stateOf(affiliateId)).toMatchObject({ state: 'disabled' });
    });
  });

  it('fails after seven days', async () => {
    const { id } = await invite(forAffiliate());
    desk.service.clock.advance(7, 'days');
    expect((await patch(id, { invitation_action: 'accept' })).status).toBe(422);
    expect((await patch(id, { invitation_action: 'revoke' })).status).toBe(200);
  });

  it('creates one member, and one affiliate, for twenty concurrent requests', async () => {
    const person = await newMember(desk.service, await desk.service.createAccount(), 'member');
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
    const { body } = await desk.account.api.get<{ data: unknown[] }>('/affiliates', { email: affiliate.email });
    expect(body.data).toHaveLength(1);
  });
});

describe('accept with the mailed link', () => {
  let visitor: Browser;
  beforeEach(() => {
    visitor = new Browser(desk.service.url, desk.service.services.publicUrl);
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
      account_id: desk.account.id,
      email: invitation.email,
      user_created: true,
      sign_in_token: null,
    });
    const browser = await signedIn(desk.service, invitation.email, 'a good password');
    const session = await browser.query<Outputs['session']['get']>('session.get');
    expect(session.body.result!.data).toMatchObject({ user: { name: 'Ada Lovelace' }, active_account_id: desk.account.id });
    expect((await join(visitor, { token, password: 'another password' })).status).toBe(422);
  });

  it('asks a person who already has a user to sign in', async () => {
    const person = await newMember(desk.service, await desk.service.createAccount(), 'member');
    const token = await tokenOf(await invite(forMember({ email: person.email })));
    expect((await join(visitor, { token, password: 'a good password' })).status).toBe(401);
    expect((await join(person.browser, { token })).body.result!.data).toMatchObject({ user_created: false });
    expect(await rolesOf(person.email)).toEqual(['member']);
  });

  it('is refused for a different signed-in person', async () => {
    const person = await newMember(desk.service, await desk.service.createAccount(), 'member');
    const token = await tokenOf(await invite());
    expect((await join(person.browser, { token, password: 'a good password' })).status).toBe(403);
  });

  it('also creates an affiliate without a user', async () => {
    const invitation = await invite(forAffiliate());
    const token = await tokenOf(invitation);
    expect((await visitor.mutate<Preview>('invitations.preview', { token })).body.result!.data.campaign_name).toBe('Friends');
    expect((await join(visitor, { token, first_name: 'Ada' })).body.result!.data).toMatchObject({ user_created: false });
    const { body } = await desk.account.api.get<{ data: unknown[] }>('/affiliates', { email: invitation.email });
    expect(body.data).toMatchObject([{ first_name: 'Ada', state: 'active', campaign_id: desk.campaignId }]);
  });

  it('gives a new affiliate a first link with the chosen code, and refuses a code that is taken', async () => {
    const accept = async (link_code: string) => {
      const invitation = await invite(forAffiliate());
      const token = await tokenOf(invitation);
      return { token, ...invitation, ...(await join(visitor, { token, link_code })) };
    };
    const tokens = async (email: string) => {
      const [affiliate] = (await desk.account.client.affiliates.list.query({ email })).data;
      return (await desk.account.client.links.list.query({ affiliate_id: affiliate!.id })).data.map(({ token }) => token);
    };
    const first = await accept('Größer');
    expect(first.status).toBe(200);
    expect(await tokens(first.email)).toEqual(['groesser']);
    const second = await accept('groesser');
    expect(second.body.error!.data).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'link_code', code: 'taken' }] });
    expect((await join(visitor, { token: second.token, link_code: 'other' })).status).toBe(200);
    expect(await tokens(second.email)).toEqual(['other']);
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
