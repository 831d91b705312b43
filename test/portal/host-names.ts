import { checkPortalHosts } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { program } from '../support/program.ts';
import { HOST, type PortalHosts } from './portal-hosts.ts';

/** Defines the tests of portal host names: which names are allowed, and which account gets a name. */
export function testNames(at: () => PortalHosts): void {
  describe('the host name', () => {
    it.each([
      'localhost',
      '127.0.0.1',
      'partners',
      'a b.example',
      'x.example:80',
      '-x.example',
      'affiliates.example.com',
      'x.affiliates.example.com',
      `${'x'.repeat(64)}.example`,
    ])('cannot be %s', async (portal_host) => {
      const { account } = at();
      await expect(account.client.portalSettings.update.mutate({ portal_host })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    });

    it('remains the service’s own host name until a check finds that the new name points to the service', async () => {
      const hosts = at();
      const { service, other, leadsHere, records, own, refresh, ask, call } = hosts;
      const { client, id } = await service.createAccount();
      const host = 'new.shop.example';
      own(host, { id });
      const record = { name: `_affiliate-portal.${host}`, value: id };
      const settings = await client.portalSettings.update.mutate({ portal_host: ` ${host.toUpperCase()} ` });
      expect(settings.portal_host).toEqual({ host, verified_at: null, failure: null, failing_since: null, record });
      const found = async () => {
        await client.portalSettings.checkHost.mutate();
        await checkPortalHosts(service.services);
        return (await client.portalSettings.get.query()).portal_host!.failure;
      };
      for (const failure of ['unreachable', 'refused'] as const) {
        hosts.elsewhere = async () => failure;
        expect(await found()).toBe(failure);
      }
      const proofUnder = async (name: string, url: string) => (await ask(name, 'GET', new URL(url).pathname)).text;
      for (const answer of [
        async (url: string) => ({ url, html: 'f'.repeat(64) }),
        async (url: string) => ({ url, html: await proofUnder(HOST, url) }),
        async (url: string) => ({ url: `https://${HOST}/`, html: await proofUnder(host, url) }),
      ]) {
        hosts.elsewhere = async (url) => ({ ...(await answer(url)), policies: [] });
        expect(await found()).toBe('wrong_answer');
      }
      leadsHere.add(host);
      own(host, other);
      expect(await found()).toBe('no_record');
      service.services.resolveTexts = () => Promise.reject(new Error('No name server answers.'));
      expect(await found()).toBe('unreachable');
      service.services.resolveTexts = async (name) => records.get(name) ?? [];
      refresh();
      // Signing in redirects to the service's own name.
      const page = await ask(host, 'GET', '/sign-in?to=portal');
      expect([page.status, page.headers['location']]).toEqual([302, 'https://affiliates.example.com/sign-in?to=portal']);
      expect((await ask(host, 'POST', '/auth/sign-in/email', { body: '{}' })).status).toBe(404);
      expect((await ask(host, 'GET', '/healthz')).status).toBe(200);
      expect((await call(host, 'portal.front', undefined)).status).toBe(404);
      expect((await ask(host, 'GET', '/.well-known/affiliate-portal/short')).status).toBe(404);
      await client.portalSettings.update.mutate({ portal_host: null });
      await expect(client.portalSettings.checkHost.mutate()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('belongs to the account that its DNS record names; if the record names several, to the first verified account until that account gives it up', async () => {
      const { service, leadsHere, own } = at();
      const [{ client: first, ...one }, { client: second, ...two }] = [
        await service.createAccount(),
        await service.createAccount(),
      ];
      const host = 'shared.shop.example';
      leadsHere.add(host);
      own(host, one, two);
      for (const each of [first, second]) await each.portalSettings.update.mutate({ portal_host: host });
      await checkPortalHosts(service.services);
      const states = await Promise.all([first, second].map(async (each) => (await each.portalSettings.get.query()).portal_host!));
      expect(new Set(states.map(({ failure }) => failure))).toEqual(new Set([null, 'taken']));
      const [winner, loser] = states[0]!.failure === null ? [first, second] : [second, first];
      await winner.portalSettings.update.mutate({ portal_host: null });
      await loser.portalSettings.checkHost.mutate();
      await checkPortalHosts(service.services);
      expect((await loser.portalSettings.get.query()).portal_host).toMatchObject({
        failure: null,
        verified_at: expect.any(String),
      });

      // The DNS record now names only the other account, so the name moves to that account at once.
      own(host, winner === first ? one : two);
      await winner.portalSettings.update.mutate({ portal_host: host });
      await checkPortalHosts(service.services);
      expect((await winner.portalSettings.get.query()).portal_host).toMatchObject({
        failure: null,
        verified_at: expect.any(String),
      });
      expect((await loser.portalSettings.get.query()).portal_host).toMatchObject({ failure: 'taken', verified_at: null });
    });

    it('can be checked 30 times an hour, counted over all names', async () => {
      const { service } = at();
      const { client } = await service.createAccount();
      const outcomes: (string | null)[] = [];
      for (let time = 0; time < 32; time += 1) {
        await client.portalSettings.update.mutate({ portal_host: null });
        const outcome = client.portalSettings.update.mutate({ portal_host: `try-${time}.shop.example` });
        outcomes.push(
          await outcome.then(
            () => null,
            ({ code }: { code: string }) => code,
          ),
        );
      }
      expect(outcomes.slice(29)).toEqual([null, 'RATE_LIMITED', 'RATE_LIMITED']);
      await client.portalSettings.update.mutate({ portal_host: null });
    });

    it('is no longer used after it has pointed elsewhere for three days, until it points to the service again', async () => {
      const hosts = at();
      const { service, leadsHere, own } = hosts;
      const { client, api, id } = await service.createAccount();
      const { affiliate } = await program({ api });
      const host = 'moving.shop.example';
      own(host, { id });
      leadsHere.add(host);
      await client.portalSettings.update.mutate({ portal_host: host });
      const originAfter = async (hours: number) => {
        service.clock.advance(hours, 'hours');
        await checkPortalHosts(service.services);
        return new URL((await client.affiliates.createPortalLink.mutate({ id: affiliate.id })).url).origin;
      };
      expect(await originAfter(0)).toBe(`https://${host}`);
      leadsHere.delete(host);
      hosts.elsewhere = async () => 'unreachable';
      expect(await originAfter(24)).toBe(`https://${host}`);
      expect((await client.portalSettings.get.query()).portal_host).toMatchObject({
        failure: 'unreachable',
        failing_since: service.clock.instant(),
      });
      expect(await originAfter(71)).toBe(`https://${host}`);
      expect(await originAfter(1)).toBe('https://affiliates.example.com');
      leadsHere.add(host);
      expect(await originAfter(1)).toBe(`https://${host}`);
    });
  });
}
