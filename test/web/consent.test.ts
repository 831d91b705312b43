import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UnauthorizedError } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { RemoteAssistant } from '../mcp/remote-assistant.ts';
import { newMember, ownerOf } from '../support/people.ts';
import { useAccount } from '../support/suite.ts';
import { THOROUGH, sample } from '../support/thorough.ts';
import { usePages } from './service.ts';
import { LOOKS, Visitor } from './visitor.ts';

const { service, browser } = usePages();
const account = useAccount(service, 'file');

/**
 * Starts a local program that waits for the OAuth callback, like an assistant.
 *
 * @param page the page with which the program answers. Without a page, the browser stays on the page it shows. Staying is faster, because a page of
 * another origin starts another browser process, which compiles all scripts again.
 */
async function listenForAnswer(page?: string) {
  const answer = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    if (page === undefined) response.writeHead(204).end();
    else response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
    // Ignores other requests, because the browser also requests an icon.
    if (request.url!.startsWith('/callback')) answer.resolve(`http://${request.headers.host}${request.url}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    answer: answer.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Person {
  email: string;
  password: string;
}

async function signIn(visitor: Visitor, { email, password }: Person) {
  await visitor.heading('Sign in');
  await visitor.page.getByLabel('Email').fill(email);
  await visitor.page.getByLabel('Password', { exact: true }).fill(password);
  await visitor.page.keyboard.press('Enter');
}

function addressOf({ sentTo }: RemoteAssistant): string {
  return sentTo!.pathname + sentTo!.search;
}

/** Opens the assistant's authorization URL as a signed-in user. */
async function openLink(visitor: Visitor, assistant: RemoteAssistant, person: Person) {
  await visitor.enter(addressOf(assistant), person);
  await visitor.heading('Connect an assistant');
}

it('a user signs in, reviews the request, connects the assistant, and revokes its access', async () => {
  await using program = await listenForAnswer('<!doctype html><title>Back</title><h1>Back in the assistant</h1>');
  const assistant = new RemoteAssistant(service, { name: 'Claude', redirectUri: program.redirectUri });
  expect(await assistant.connect()).toBeNull();
  await using owner = await Visitor.arrive(browser, service.url);
  await owner.open(addressOf(assistant));
  await signIn(owner, { email: account.ownerEmail, password: account.ownerPassword });
  await owner.heading('Connect an assistant');
  await owner.page.getByText(`a program on this computer (${new URL(program.redirectUri).host})`).waitFor();
  await owner.page.getByText('Claude requests access to your affiliate program').waitFor();
  expect(await owner.page.getByLabel('Allow promo code management').isChecked()).toBe(false);
  for (const look of sample(LOOKS, LOOKS.length, 3)) {
    await owner.putOn(look);
    expect(await owner.faults({ contrast: true })).toEqual([]);
  }
  await owner.putOn(LOOKS[0]);
  await owner.page.getByLabel('Allow promo code management').check();
  expect(await owner.page.getByLabel('Read: Payouts', { exact: true }).isChecked()).toBe(true);
  await owner.page.getByLabel('Read: Invitations').uncheck();
  await owner.page.getByLabel('Change: Payouts', { exact: true }).check();
  await owner.page.getByLabel('Amount per day').fill('much');
  await owner.button('Allow').click();
  await owner.page.getByText('Enter an amount in USD, e.g. 1000.00.').waitFor();
  await owner.page.getByLabel('Amount per day').fill('250');
  expect(await owner.faults({ contrast: true })).toEqual([]);
  await owner.button('Allow').click();
  await owner.heading('Back in the assistant');

  await using client = await assistant.finish(await program.answer);
  const names = await client.toolNames();
  expect(names).toEqual(expect.arrayContaining(['affiliate_promo_codes', 'manage_payouts']));
  expect(names).not.toContain('invitations');
  await owner.open('/settings/connectors');
  const row = owner.page.getByRole('row', {
    name: /Claude.*Connected in the browser.*write payouts, affiliate coupons; pays up to US\$250\.00 per day/,
  });
  await row.waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
  await owner.button('Change: Claude').click();
  await owner.dialog().getByLabel('Change: Payouts', { exact: true }).uncheck();
  expect(await owner.faults({ contrast: true })).toEqual([]);
  await owner.dialog().getByRole('button', { name: 'Save' }).click();
  await owner.page.getByRole('row', { name: /Claude.*write affiliate coupons/ }).waitFor();
  await expect(client.call('manage_payouts', { action: 'pay' })).rejects.toThrow('403');
  await owner.button('Revoke: Claude').click();
  await owner.dialog().getByRole('button', { name: 'Revoke' }).click();
  await owner.page
    .getByRole('row', { name: /Claude/ })
    .getByText('Revoked')
    .waitFor();
  await expect(client.client.listTools()).rejects.toThrow(/Unauthorized|invalid_grant|refresh/i);
});

it('denying access redirects to the assistant with access_denied', async () => {
  await using program = await listenForAnswer();
  const assistant = new RemoteAssistant(service, { redirectUri: program.redirectUri });
  await assistant.connect();
  await using owner = await Visitor.arrive(browser, service.url);
  await openLink(owner, assistant, { email: account.ownerEmail, password: account.ownerPassword });
  await owner.button('Deny').click();
  expect(new URL(await program.answer).searchParams.get('error')).toBe('access_denied');
});

it('a user grants an assistant more when a call needs more', async () => {
  await using program = await listenForAnswer();
  const assistant = new RemoteAssistant(service, { name: 'Stepper', redirectUri: program.redirectUri });
  const permissions = { 'mcp.campaigns.read': true };
  await using client = await assistant.connectStatelessAs((await ownerOf(service, account)).browser, {
    account_id: account.id,
    permissions,
  });
  await expect(client.call('campaigns', { action: 'list' })).resolves.toMatchObject({ isError: false });
  await expect(client.call('manage_campaigns', { action: 'create' })).rejects.toThrow(UnauthorizedError);
  await using owner = await Visitor.arrive(browser, service.url);
  await openLink(owner, assistant, { email: account.ownerEmail, password: account.ownerPassword });
  expect(await owner.page.getByLabel('Change: Campaigns').isChecked()).toBe(true);
  expect(await owner.page.getByLabel('Read: Affiliates').isChecked()).toBe(false);
  await owner.button('Allow').click();
  await using again = await assistant.finishStateless(await program.answer);
  expect(await again.toolNames()).toEqual([
    'campaigns',
    'manage_campaigns',
    'rewards',
    'manage_rewards',
    'read_manual',
    'request_access',
  ]);
});

// Thorough runs only: test/mcp/oauth-consent.test.ts covers several accounts and roles over HTTP in the ordinary run.
it.runIf(THOROUGH)('a user of several accounts can choose among them', async () => {
  const person = await newMember(service, account, 'admin');
  const other = await service.createAccount();
  const third = await service.createAccount();
  const db = service.services.database.kysely;
  const now = service.clock.instant();
  const member = { user_id: person.id, created_at: now, updated_at: now };
  await db
    .insertInto('membership')
    .values({ ...member, account_id: other.id, role: 'owner' })
    .execute();
  await db
    .insertInto('membership')
    .values({ ...member, account_id: third.id, role: 'member' })
    .execute();
  await db.updateTable('account').set({ name: 'The other one' }).where('id', '=', other.id).execute();

  await using program = await listenForAnswer();
  const assistant = new RemoteAssistant(service, { name: 'Chooser', redirectUri: program.redirectUri });
  await assistant.connect();
  await using visitor = await Visitor.arrive(browser, service.url, { width: 390, height: 800 });
  await openLink(visitor, assistant, person);
  const accounts = visitor.page.getByRole('combobox', { name: 'Account' });
  await accounts.waitFor();
  expect(await accounts.getByRole('option').count()).toBe(3);
  await accounts.selectOption('The other one');
  expect(await visitor.faults()).toEqual([]);
  expect(await visitor.overflow()).toEqual([]);
  await visitor.button('Allow').click();
  await (await assistant.finish(await program.answer)).client.close();
  expect((await other.client.connectors.list.query({})).data).toMatchObject([
    { name: 'Chooser', authorized_by_user_id: person.id },
  ]);
  expect((await third.client.connectors.list.query({})).data).toEqual([]);
});

it.runIf(THOROUGH)('a member can grant only what the role allows, and can switch users to continue', async () => {
  const member = await newMember(service, account, 'member');
  await using program = await listenForAnswer();
  const assistant = new RemoteAssistant(service, { redirectUri: program.redirectUri });
  await assistant.connect();
  await using visitor = await Visitor.arrive(browser, service.url);
  await openLink(visitor, assistant, member);
  await visitor.page.getByLabel('Change: Affiliates').waitFor();
  expect(await visitor.page.getByLabel('Change: Payouts', { exact: true }).count()).toBe(0);
  expect(await visitor.faults()).toEqual([]);
  await visitor.button('Switch user').click();
  await signIn(visitor, { email: account.ownerEmail, password: account.ownerPassword });
  await visitor.button('Allow').click();
  expect(new URL(await program.answer).searchParams.get('code')).toEqual(expect.any(String));
});

it('a forged request is rejected and not shown', async () => {
  const assistant = new RemoteAssistant(service, { name: 'Claude' });
  await assistant.connect();
  await using owner = await Visitor.arrive(browser, service.url);
  await openLink(owner, assistant, { email: account.ownerEmail, password: account.ownerPassword });
  const changed = new URL(owner.page.url());
  changed.searchParams.set('redirect_uri', 'https://evil.example/callback');
  await owner.page.goto(changed.href);
  await owner.page.getByText('no longer valid').waitFor();
  expect(await owner.button('Allow').count()).toBe(0);
  expect(await owner.page.locator('main').textContent()).not.toContain('evil.example');

  const wrong = new URL(assistant.sentTo!);
  wrong.searchParams.set('redirect_uri', 'https://evil.example/callback');
  await owner.open(wrong.pathname + wrong.search);
  await owner.heading('Invalid request');
  expect(await owner.faults()).toEqual([]);
});

it('the consent page cannot be framed', async () => {
  const { headers } = await fetch(`${service.url}/connect-assistant?sig=x`, { headers: { Accept: 'text/html' } });
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});
