import { describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import type { ErrorBody } from '../support/http.ts';
import { type Person, newMember, ownerOf } from '../support/people.ts';
import type { Outputs } from '../support/service.ts';
import { type Invitation, refused, useInvitationDesk } from './invitation-desk.ts';

type Page = Outputs['invitations']['list'];

const desk = useInvitationDesk();
const { newEmail, forMember, forAffiliate, post, patch, invite, tokenOf } = desk;

describe('creating an invitation', () => {
  it('mails a link and does not return the token', async () => {
    const { status, body, text } = await post({ kind: 'member', email: 'New.Person@example.com' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^inv_/),
      livemode: true,
      kind: 'member',
      email: 'New.Person@example.com',
      role: 'member',
      campaign_id: null,
      status: 'pending',
      invited_by_user_id: null,
      accepted_by_user_id: null,
      email_problem: null,
      affiliate_id: null,
      expires_at: new Date(desk.service.clock.now().getTime() + 7 * 86_400_000).toISOString(),
      resent_at: null,
      accepted_at: null,
      revoked_at: null,
      created_at: desk.service.clock.instant(),
      updated_at: desk.service.clock.instant(),
    });
    const token = await tokenOf(body);
    expect(text).not.toContain(token);
    const rows = await desk.service.services.database.kysely.selectFrom('invitation').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('accepts the campaign of an affiliate under both field names', async () => {
    expect((await invite(forAffiliate())).campaign_id).toBe(desk.campaignId);
    const { campaign_id: _, ...rest } = forAffiliate();
    expect((await invite({ ...rest, campaignId: desk.campaignId })).campaign_id).toBe(desk.campaignId);
    expect(await post({ ...forAffiliate(), campaignId: 'camp_other' })).toMatchObject(refused('campaignId'));
  });

  it('refuses fields that do not belong together, naming the field', async () => {
    expect(await post({ kind: 'affiliate', email: newEmail() })).toMatchObject(refused('campaign_id'));
    expect(await post({ ...forMember(), campaign_id: desk.campaignId })).toMatchObject(refused('campaign_id'));
    expect(await post({ ...forAffiliate(), role: 'admin' })).toMatchObject(refused('role'));
    expect(await post({ ...forMember(), role: 'king' })).toMatchObject(refused('role'));
    expect(await post({ ...forMember(), email: 'nobody' })).toMatchObject(refused('email'));
    expect(await post({ email: newEmail() })).toMatchObject(refused('kind'));
    expect(await post({ kind: 'member' })).toMatchObject(refused('email'));
    expect(await post({ ...forMember(), status: 'accepted' })).toMatchObject(refused('status'));
    expect(await post({ ...forMember(), email: desk.account.ownerEmail.toUpperCase() })).toMatchObject(refused('email'));
  });

  it('refuses campaigns of another account and archived campaigns', async () => {
    const other = await desk.service.createAccount();
    const campaign = { name: 'Theirs', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 10 };
    const { body } = await other.api.post<{ id: string }>('/campaigns', campaign);
    expect(await post({ ...forAffiliate(), campaign_id: body.id })).toMatchObject(refused('campaign_id'));
    await desk.account.api.delete(`/campaigns/${desk.campaignId}`);
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
    expect(desk.service.mailbox.mails.filter(({ to }) => to === body.email)).toHaveLength(0);
  });

  it('allows signed-in owners, but not admins or keys, to invite owners', async () => {
    const admin = await newMember(desk.service, desk.account, 'admin');
    const owner = await ownerOf(desk.service, desk.account);
    expect((await post(forMember({ role: 'owner' }))).status).toBe(403);
    const send = (by: Person) => by.browser.send('POST', '/api/v1/invitations', { body: forMember({ role: 'owner' }) });
    expect((await send(admin)).status).toBe(403);
    expect(await send(owner)).toMatchObject({ status: 201, body: { role: 'owner', invited_by_user_id: owner.id } });
  });

  it('escapes names in the HTML part', async () => {
    await desk.service.services.database.kysely
      .updateTable('account')
      .set({ name: 'A <b>& Co' })
      .where('id', '=', desk.account.id)
      .execute();
    const { email } = await invite();
    const mail = await desk.service.mailbox.take(email, /Join/);
    expect(mail.subject).toBe('Join A <b>& Co');
    expect(mail.html).toContain('A &lt;b&gt;&amp; Co');
  });
});

describe('the requests to list and get invitations', () => {
  it('filter by kind and status', async () => {
    const member = await invite();
    const affiliate = await invite(forAffiliate());
    await patch(affiliate.id, { status: 'revoked' });
    const list = async (query: string) => {
      const { body } = await desk.account.api.get<Page>('/invitations', query);
      return body.data.map(({ id }) => id);
    };
    expect(await list('')).toEqual([affiliate.id, member.id]);
    expect(await list('kind=member')).toEqual([member.id]);
    expect(await list('status=revoked')).toEqual([affiliate.id]);
    expect(await list('kind=member&status=revoked')).toEqual([]);
    expect(await desk.account.api.get('/invitations', 'status=expired')).toMatchObject(refused('status'));
  });

  it('find nothing under the wrong kind or in another account', async () => {
    const { id } = await invite();
    expect((await desk.account.api.get(`/invitations/${id}`, 'kind=member')).status).toBe(200);
    expect((await desk.account.api.get(`/invitations/${id}`, 'kind=affiliate')).status).toBe(404);
    expect((await patch(id, { kind: 'affiliate', status: 'revoked' })).status).toBe(404);
    expect((await desk.account.api.delete(`/invitations/${id}?kind=affiliate`)).status).toBe(404);
    expect((await desk.account.api.delete(`/invitations/${id}`, { kind: 'affiliate' })).status).toBe(404);
    expect((await desk.account.api.post(`/invitations/${id}/resend`, { kind: 'affiliate' })).status).toBe(404);
    expect((await desk.account.api.post(`/invitations/${id}/resend?kind=affiliate`)).status).toBe(404);
    const other = await desk.service.createAccount();
    expect((await other.api.get(`/invitations/${id}`)).status).toBe(404);
    expect((await other.api.delete(`/invitations/${id}`)).status).toBe(404);
    expect((await desk.account.api.get(`/invitations/${id}`)).body).toMatchObject({ status: 'pending' });
  });
});

describe('the requests to revoke, delete or change invitations', () => {
  it.each([{ invitation_action: 'revoke' }, { status_action: 'revoke' }, { status: 'revoked' }])(
    'revoke an invitation by %j',
    async (body) => {
      const invitation = await invite();
      expect(await patch(invitation.id, body)).toMatchObject({
        status: 200,
        body: { status: 'revoked', revoked_at: desk.service.clock.instant() },
      });
      expect((await patch(invitation.id, body)).status).toBe(422);
      const join = { token: await tokenOf(invitation), password: 'long enough' };
      expect((await new Browser(desk.service.url, desk.service.services.publicUrl).mutate('invitations.join', join)).status).toBe(
        422,
      );
    },
  );

  it('refuse aliases that contradict each other', async () => {
    const { id } = await invite();
    expect(await patch(id, { invitation_action: 'accept', status: 'revoked' })).toMatchObject(refused('invitation_action'));
    expect(await patch(id, { status: 'accepted' })).toMatchObject(refused('status'));
    expect((await patch(id, { invitation_action: 'revoke', status_action: 'revoke', status: 'revoked' })).status).toBe(200);
  });

  it('delete the invitation, and its link stops working', async () => {
    const invitation = await invite();
    const token = await tokenOf(invitation);
    expect((await desk.account.api.delete(`/invitations/${invitation.id}`)).status).toBe(204);
    expect((await desk.account.api.get(`/invitations/${invitation.id}`)).status).toBe(404);
    const visitor = new Browser(desk.service.url, desk.service.services.publicUrl);
    expect((await visitor.mutate('invitations.preview', { token })).status).toBe(404);
  });

  it('change the offered role, and only owners can offer the owner role', async () => {
    const { id } = await invite();
    expect((await patch(id, { role: 'admin' })).body.role).toBe('admin');
    expect((await patch(id, { role: 'owner' })).status).toBe(403);
    const affiliate = await invite(forAffiliate());
    expect(await patch(affiliate.id, { role: 'admin' })).toMatchObject(refused('role'));
  });
});

describe('resending an invitation', () => {
  it('replaces the previous link by a new one, at most once a minute', async () => {
    const invitation = await invite();
    const former = await tokenOf(invitation);
    desk.service.clock.advance(8, 'days');
    const resend = () => desk.account.api.post<Invitation & ErrorBody>(`/invitations/${invitation.id}/resend`);
    const { status, body } = await resend();
    expect(status).toBe(200);
    expect(body.resent_at).toBe(desk.service.clock.instant());
    expect(Date.parse(body.expires_at) - desk.service.clock.now().getTime()).toBe(7 * 86_400_000);
    const visitor = new Browser(desk.service.url, desk.service.services.publicUrl);
    expect((await visitor.mutate('invitations.preview', { token: former })).status).toBe(404);
    expect((await visitor.mutate('invitations.preview', { token: await tokenOf(invitation) })).status).toBe(200);

    desk.service.clock.advance(20, 'seconds');
    const soon = await resend();
    expect(soon).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(soon.headers.get('retry-after')).toBe('40');
    desk.service.clock.advance(40, 'seconds');
    expect((await resend()).status).toBe(200);
  });

  it('is only for pending invitations', async () => {
    const { id } = await invite();
    await patch(id, { status: 'revoked' });
    expect((await desk.account.api.post(`/invitations/${id}/resend`)).status).toBe(422);
  });
});
