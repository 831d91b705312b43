import { mailRequestedPortalLinks } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { sendAllMail } from '../support/mailbox.ts';
import { ownerOf } from '../support/people.ts';
import { onServer } from '../support/postgres.ts';
import { must } from '../support/program.ts';
import type { Outputs } from '../support/service.ts';
import { HOST, OTHER, type PortalHosts, tokenOf } from './portal-hosts.ts';

/** Defines the tests of emailed links: their addresses, and the pages that they open. */
export function testMails(at: () => PortalHosts): void {
  describe('under a host name', () => {
    it('a mailed link opens only the portal of this account, and only once', async () => {
      const { service, account, ada, call, mailedUrl } = at();
      await call(HOST, 'portal.requestLink', { email: 'ADA@partner.example' });
      const mailed = await mailedUrl('ada@partner.example', /Your link to the affiliate portal/);
      expect(mailed.href).toMatch(new RegExp(`^https://${HOST}/portal/link#token=pat_`));
      const entered = await call<Outputs['portal']['enter']>(HOST, 'portal.enter', { token: tokenOf(mailed) });
      const portal = { 'x-portal-token': entered.data.token };
      expect((await call<Outputs['portal']['self']>(HOST, 'portal.self', undefined, portal)).data).toMatchObject({
        affiliate_id: ada,
      });
      expect((await call(OTHER, 'portal.self', undefined, portal)).status).toBe(401);
      const change = () => call(HOST, 'portal.updatePayoutDetails', { walletb_email: 'b@pay.example' }, portal);
      expect((await change()).status).toBe(200);
      service.clock.advance(15, 'minutes');
      expect((await change()).status).toBe(403);
      const { url } = await account.client.affiliates.createPortalLink.mutate({ id: ada });
      expect(url).toMatch(new RegExp(`^https://${HOST}/portal/enter#token=`));
      const token = tokenOf(new URL(url));
      expect((await call(OTHER, 'portal.enter', { token })).status).toBe(404);
      expect((await call(HOST, 'portal.enter', { token })).status).toBe(200);
      expect((await call(HOST, 'portal.enter', { token })).status).toBe(404);
    });

    it('only affiliates of the account get an email, and a request cannot choose the target of the link', async () => {
      const { service, call, mailedUrl } = at();
      await call(HOST, 'portal.requestLink', { email: 'nobody@partner.example' });
      await call(
        HOST,
        'portal.requestLink',
        { email: 'ada@partner.example' },
        { 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' },
      );
      expect((await mailedUrl('ada@partner.example', /Your link/)).host).toBe(HOST);
      expect(service.mailbox.mails.filter(({ to }) => to === 'nobody@partner.example')).toEqual([]);
      expect((await call('evil.example', 'portal.requestLink', { email: 'ada@partner.example' })).status).toBe(404);
    });

    it('a worker mails a promised link if the process ends before mailing it', async () => {
      const { service, account, mailedUrl } = at();
      const now = service.clock.instant();
      const row = {
        id: 'prr_1',
        kind: 'portal',
        email: 'ada@partner.example',
        lease_until: now,
        expires_at: '2100-01-01T00:00:00.000Z',
      } as const;
      const { kysely } = service.services.database;
      await kysely
        .insertInto('password_reset_request')
        .values({ ...row, portal_account_id: account.id })
        .execute();
      await mailRequestedPortalLinks(service.services);
      expect((await mailedUrl('ada@partner.example', /Your link/)).host).toBe(HOST);
      expect(await kysely.selectFrom('password_reset_request').select('id').where('id', '=', row.id).execute()).toEqual([]);
    });

    it('a request that fails does not delay others, and is retried until it expires', async () => {
      const { service, account } = at();
      const now = service.clock.instant();
      await must<{ id: string }>(account, '/affiliates', { email: 'hedy@partner.example' });
      const { kysely } = service.services.database;
      const row = { kind: 'portal', portal_account_id: account.id, lease_until: now } as const;
      const expires_at = new Date(Date.parse(now) + 3_600_000).toISOString();
      await kysely
        .insertInto('password_reset_request')
        .values([
          { ...row, id: 'prr_1', email: 'ada@partner.example', expires_at },
          { ...row, id: 'prr_2', email: 'hedy@partner.example', expires_at },
        ])
        .execute();
      const mailed = async () => {
        await mailRequestedPortalLinks(service.services);
        await sendAllMail(service.services);
        return ['ada', 'hedy'].map((name) => service.mailbox.takeAll(`${name}@partner.example`, /Your link/).length);
      };
      const waiting = async () => (await kysely.selectFrom('password_reset_request').select('id').execute()).map(({ id }) => id);
      await onServer(
        service.databaseUrl,
        `create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
         create trigger fail before insert on portal_access for each row when (new.email = 'ada@partner.example') execute function fail()`,
      );
      expect(await mailed()).toEqual([0, 1]);
      expect(await waiting()).toEqual(['prr_1']);
      await onServer(service.databaseUrl, 'drop function fail cascade');
      // The failed attempt still holds a lease, so that other processes do not try at the same time.
      expect(await mailed()).toEqual([0, 0]);
      service.clock.advance(61, 'seconds');
      expect(await mailed()).toEqual([1, 0]);
      expect(await waiting()).toEqual([]);

      await kysely
        .insertInto('password_reset_request')
        .values({ ...row, id: 'prr_3', email: 'ada@partner.example', expires_at: service.clock.instant() })
        .execute();
      expect(await mailed()).toEqual([0, 0]);
      await kysely.deleteFrom('password_reset_request').execute();
    });

    it('an applicant confirms, enters the portal without a user, and gets emails with links to this host', async () => {
      const { account, refresh, call, mailedUrl } = at();
      const email = 'grace@partner.example';
      const { slug } = await account.client.portalSettings.update.mutate({ approval: 'automatic' });
      const address = { account: slug, campaign: 'friends' };
      const { data } = await call<Outputs['join']['page']>(HOST, 'join.page', address);
      refresh();
      await call(HOST, 'join.submit', { ...address, email, form_token: data.form_token });
      const url = await mailedUrl(email, /Confirm your application/);
      expect(url.origin).toBe(`https://${HOST}`);
      expect((await call(OTHER, 'join.confirm', { token: tokenOf(url) })).status).toBe(404);
      const confirmed = await call<Outputs['join']['confirm']>(HOST, 'join.confirm', { token: tokenOf(url) });
      expect(confirmed.data).toMatchObject({
        state: 'active',
        sign_in_token: null,
        portal_token: expect.stringMatching(/^pat_/),
      });
      expect((await mailedUrl(email, /approved|welcome/i)).origin).toBe(`https://${HOST}`);
      const entered = await call<Outputs['portal']['enter']>(HOST, 'portal.enter', { token: confirmed.data.portal_token! });
      const home = await call<Outputs['portal']['home']>(HOST, 'portal.home', undefined, {
        'x-portal-token': entered.data.token,
      });
      expect(new URL(home.data.links[0]!.tracking_url).origin).toBe('https://affiliates.example.com');
    });

    it('an affiliate who enters with a mailed link gets the emails of the program, as after signing in', async () => {
      const { service, account, call, mailedUrl } = at();
      const { id } = await must<{ id: string }>(account, '/affiliates', { email: 'joan@partner.example' });
      await call(HOST, 'portal.requestLink', { email: 'joan@partner.example' });
      const token = tokenOf(await mailedUrl('joan@partner.example', /Your link/));
      await call(HOST, 'portal.enter', { token });
      const { user_id } = await service.services.database.kysely
        .selectFrom('affiliate')
        .select('user_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(user_id).toMatch(/^usr_/);
      // A person with a second factor gets the address of the service's sign-in page, which asks for the code.
      await service.services.database.kysely
        .updateTable('auth_user')
        .set({ has_second_factor: true })
        .where('id', '=', user_id!)
        .execute();
      await call(HOST, 'portal.requestLink', { email: 'joan@partner.example' });
      const signIn = await mailedUrl('joan@partner.example', /Sign in/);
      expect(signIn.href).toBe('https://affiliates.example.com/sign-in?to=portal');
    });
  });

  describe('a mailed link', () => {
    const PUBLIC = 'affiliates.example.com';
    const db = () => at().service.services.database.kysely;

    it('that changes a person’s address points to the service’s own host, and changes no user without a session', async () => {
      const { service, account, call, mailedUrl } = at();
      const { ownerEmail: victim } = await service.createAccount();
      const { id } = await must<{ id: string }>(account, '/affiliates', { email: victim });
      await call(HOST, 'portal.requestLink', { email: victim });
      const mailed = await mailedUrl(victim, /Your link to the affiliate portal/);
      const entered = await call<Outputs['portal']['enter']>(HOST, 'portal.enter', { token: tokenOf(mailed) });
      const taken = 'merchant@shop.example';
      const asked = await call(HOST, 'portal.requestEmailChange', { new_email: taken }, { 'x-portal-token': entered.data.token });
      expect(asked.status).toBe(200);
      const urls = [await mailedUrl(victim, /^Your email address at/), await mailedUrl(taken, /^Confirm your new/)];
      expect(urls.map(({ host }) => host)).toEqual([PUBLIC, PUBLIC]);
      for (const each of urls) {
        const answer = { token: tokenOf(each), answer: 'agree' };
        expect((await call(HOST, 'portal.answerEmailChange', answer)).status).toBe(404);
        expect((await call(PUBLIC, 'portal.answerEmailChange', answer)).status).toBe(200);
      }
      expect((await account.client.affiliates.get.query({ id })).email).toBe(taken);
      const users = await db().selectFrom('auth_user').select('email').where('email', 'in', [victim, taken]).execute();
      expect(users.map(({ email }) => email).toSorted()).toEqual([taken, victim].toSorted());
    });

    it('of an applicant does not sign anyone in on a different host', async () => {
      const { service, account, refresh, call, mailedUrl } = at();
      const email = 'mary@partner.example';
      const { slug } = await account.client.portalSettings.get.query();
      const address = { account: slug, campaign: 'friends' };
      const apply = async (host: string, applicant: string) => {
        const { data } = await call<Outputs['join']['page']>(host, 'join.page', address);
        refresh();
        await call(host, 'join.submit', { ...address, email: applicant, form_token: data.form_token });
        return { token: tokenOf(await mailedUrl(applicant, /Confirm your application/)) };
      };
      const token = await apply(PUBLIC, email);
      const { data } = await call<Outputs['join']['confirm']>(PUBLIC, 'join.confirm', token);
      expect(data).toMatchObject({ sign_in_token: null, portal_token: expect.stringMatching(/^pat_/) });

      const known = await service.createAccount();
      await setSecondFactor(known.ownerEmail, true);
      const guarded = await call<Outputs['join']['confirm']>(HOST, 'join.confirm', await apply(HOST, known.ownerEmail));
      expect(guarded.data).toMatchObject({ sign_in_token: null, portal_token: null });
    });

    const setSecondFactor = (email: string, has_second_factor: boolean) =>
      db().updateTable('auth_user').set({ has_second_factor }).where('email', '=', email).execute();

    it('still works for an affiliate if a stranger created a user with their address without verifying it', async () => {
      const { service, account, call, mailedUrl } = at();
      const stranger = await service.createAccount();
      const email = stranger.ownerEmail;
      const { browser } = await ownerOf(service, stranger);
      await db().updateTable('auth_user').set({ email_verified: false }).where('email', '=', email).execute();
      await setSecondFactor(email, true);
      await must<{ id: string }>(account, '/affiliates', { email });
      await call(HOST, 'portal.requestLink', { email });
      const token = tokenOf(await mailedUrl(email, /Your link/));
      const entered = await call<Outputs['portal']['enter']>(HOST, 'portal.enter', { token });
      expect((await call(HOST, 'portal.self', undefined, { 'x-portal-token': entered.data.token })).status).toBe(200);
      // The user now belongs to the holder of the address, and the stranger can no longer sign in.
      expect((await browser.query('session.get')).status).toBe(401);
      expect((await browser.signIn(email, stranger.ownerPassword)).status).toBe(401);
    });

    it.each(['another address', 'a second factor'] as const)('stops working once the affiliate has %s', async (what) => {
      const { account, call, mailedUrl } = at();
      const email = `${what.replaceAll(' ', '-')}@partner.example`;
      const { id } = await must<{ id: string }>(account, '/affiliates', { email });
      const mailed = async () => {
        await call(HOST, 'portal.requestLink', { email });
        return { token: tokenOf(await mailedUrl(email, /Your link/)) };
      };
      const entered = await call<Outputs['portal']['enter']>(HOST, 'portal.enter', await mailed());
      const self = async () => (await call(HOST, 'portal.self', undefined, { 'x-portal-token': entered.data.token })).status;
      expect(await self()).toBe(200);
      const later = await mailed();
      if (what === 'another address') await account.client.affiliates.update.mutate({ id, email: 'corrected@partner.example' });
      else await setSecondFactor(email, true);
      expect((await call(HOST, 'portal.enter', later)).status).toBe(what === 'another address' ? 404 : 403);
      expect(await self()).toBe(401);
    });
  });
}
