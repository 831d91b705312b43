/**
 * Portals that a merchant's program opened with a key. The program holds the token itself, so the token must give it nothing that the key does not have:
 * it reads and shares, and changes neither money nor identity.
 */
import { expect, it } from 'vitest';
import { PROCEDURES } from '../contract/procedures.ts';
import { Browser } from '../support/browser.ts';
import { Api } from '../support/http.ts';
import { program } from '../support/program.ts';
import { credentials } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { PortalVisitor } from './people.ts';

const service = useService();
const account = useAccount(service, 'file');

/** The changes that a portal may make that a program opened. Every other change needs the affiliate: a sign-in, or a link mailed to their address. */
const SHARING = [
  'portal.acceptTerms',
  'portal.archiveLink',
  'portal.checkLinkCode',
  'portal.createLink',
  'portal.requestCode',
  'portal.updateLink',
];
const WRITES = PROCEDURES.filter(({ type, meta }) => type === 'mutation' && meta.audience === 'affiliate').map(
  ({ path }) => path,
);
const INPUTS: Record<string, object> = {
  'portal.updatePayoutDetails': { walletb_email: 'thief@pay.example' },
  'portal.requestEmailChange': { new_email: 'thief@new.example' },
  'portal.updateProfile': { first_name: 'Thief' },
  'portal.cancelEmailChange': {},
  'portal.setPayoutMethod': { kind: 'paypal', address: { email: 'thief@pay.example' } },
  'portal.removePayoutMethod': { id: 'pmth_unknown' },
  'portal.openPayoutAccount': { kind: 'stripe' },
  'portal.createKey': {},
  'portal.removeKey': {},
  'portal.exportData': {},
  'portal.leave': {},
  'portal.eraseData': {},
};

const anyone = () => new Browser(service.url, service.services.publicUrl);

/** Returns tokens with which a key has opened the affiliate's portal, by its two ways. */
async function openedBy(api: Api, id: string): Promise<Record<'embed' | 'link', string>> {
  const embedded = await api.post<{ token: string }>(`/affiliates/${id}/embed_token`, {});
  const link = await api.post<{ url: string }>(`/affiliates/${id}/portal_link`, {});
  expect([embedded.status, link.status]).toEqual([201, 201]);
  const token = link.body.url.split('#token=')[1]!;
  const entry = await anyone().mutate<{ token: string }>('portal.enter', { token });
  return { embed: embedded.body.token, link: entry.body.result!.data.token };
}

it('a key with only `v1.affiliates.write` opens no portal', async () => {
  const { affiliate } = await program(account);
  const api = await account.apiWith({ 'v1.affiliates.write': true, 'v1.affiliates.read': true });
  for (const path of [`/affiliates/${affiliate.id}/embed_token`, `/affiliates/${affiliate.id}/portal_link`])
    expect(await api.post(path, {})).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  for (const path of ['/affiliates/embed_token', '/affiliates/portal_link'])
    expect(await api.post(path, { email: affiliate.email })).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
});

it('a key without `v1.affiliates.write` opens the portal of an affiliate, but creates none', async () => {
  const { affiliate } = await program(account);
  const api = await account.apiWith({ 'v1.portal_tokens.write': true });
  await openedBy(api, affiliate.id);
  for (const path of ['/affiliates/embed_token', '/affiliates/portal_link'])
    expect((await api.post(path, { email: 'unknown@partner.example' })).status).toBe(403);
});

it.each(['embed', 'link'] as const)(
  'a portal opened by a program reads and shares, and changes nothing else: %s',
  async (kind) => {
    const { affiliate, campaign } = await program(account, {}, { email: `${kind}@partner.example` });
    const { [kind]: token } = await openedBy(account.api, affiliate.id);
    const headers = { 'X-Portal-Token': token };
    expect((await anyone().query('portal.home', {}, headers)).status).toBe(200);
    const self = await anyone().query('portal.self', undefined, headers);
    expect(self.body.result!.data).toMatchObject({ is_view: false, may_change: false });
    const link = await anyone().mutate<{ id: string }>('portal.createLink', { url: campaign.url }, headers);
    expect(link.status).toBe(200);
    expect((await anyone().mutate('portal.archiveLink', { id: link.body.result!.data.id }, headers)).status).toBe(200);

    expect(WRITES.filter((path) => !SHARING.includes(path)).toSorted()).toEqual(Object.keys(INPUTS).toSorted());
    for (const [path, input] of Object.entries(INPUTS))
      expect({ path, ...(await anyone().mutate(path, input, headers)) }).toMatchObject({
        path,
        status: 403,
        body: { error: { data: { code: 'FORBIDDEN', details: { reason: 'sign_in' } } } },
      });
    expect(service.mailbox.takeAll(`${kind}@partner.example`, /payout|address/i)).toEqual([]);
  },
);

it('a portal opened by a link mailed to the affiliate changes everything, like a sign-in', async () => {
  const { affiliate } = await program(account, {}, { email: 'mailed@partner.example' });
  const visitor = await PortalVisitor.enter(service, account, 'mailed@partner.example');
  expect(await visitor.query('portal.self')).toMatchObject({ affiliate_id: affiliate.id, may_change: true });
  await visitor.mutate('portal.updatePayoutDetails', { walletb_email: 'mailed@pay.example' });
  await service.mailbox.take('mailed@partner.example', /payout/i);
});

it('terms that are accepted in a portal opened by a program say so', async () => {
  const { affiliate } = await program(account, {}, { email: 'terms@partner.example' });
  await account.client.portalSettings.update.mutate({ terms: 'Be kind.' });
  const { embed } = await openedBy(account.api, affiliate.id);
  expect((await anyone().mutate('portal.acceptTerms', { version: 1 }, { 'X-Portal-Token': embed })).status).toBe(200);
  const acceptances = await service.services.database.kysely
    .selectFrom('terms_acceptance')
    .select('accepted_in')
    .where('affiliate_id', '=', affiliate.id)
    .execute();
  expect(acceptances).toEqual([{ accepted_in: 'embed' }]);
});

it.each(['embed_token', 'portal_link'])('the audit log says which key opened which portal: %s', async (action) => {
  const { affiliate } = await program(account, {}, { email: `${action}@partner.example`, external_id: `own-${action}` });
  const { id, api_key } = await account.client.apiKeys.create.mutate({ name: 'Portals' });
  const api = new Api(service.url, credentials(account.id, api_key));
  service.clock.advance(1, 'seconds');
  expect((await api.post(`/affiliates/${affiliate.id}/${action}`, {})).status).toBe(201);
  expect((await api.post(`/affiliates/${action}`, { external_id: `own-${action}` })).status).toBe(201);
  const { data } = await account.client.auditLog.list.query({ subject_id: affiliate.id });
  const opened = data.filter((entry) => entry.caller_id === id);
  expect(opened.map((entry) => [entry.tool, entry.action, entry.caller_kind])).toEqual([
    ['affiliates', `create_${action}_by_email`, 'api_key'],
    ['affiliates', `create_${action}`, 'api_key'],
  ]);
});

it('an email address that a key changes is in the audit log', async () => {
  const { affiliate } = await program(account, {}, { email: 'moves@partner.example' });
  service.clock.advance(1, 'seconds');
  expect((await account.api.patch(`/affiliates/${affiliate.id}`, { email: 'moved@partner.example' })).status).toBe(200);
  const { data } = await account.client.auditLog.list.query({ subject_id: affiliate.id });
  expect(data[0]).toMatchObject({
    tool: 'affiliates',
    action: 'update',
    caller_kind: 'api_key',
    arguments: { id: affiliate.id, email: 'moved@partner.example' },
  });
});
