import { ROLES, type Resource, roleMay } from '@affiliate/core/browser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, launchChromium } from '../support/chromium/index.ts';
import { HookReceiver } from '../support/hook-receiver.ts';
import { MEMBER_PASSWORD, newMember } from '../support/people.ts';
import type { TestService } from '../support/service.ts';
import { THOROUGH, sample } from '../support/thorough.ts';
import { type Demo, demoAccount } from './demo.ts';
import { startServiceWithPages } from './service.ts';
import { LOOKS, Visitor } from './visitor.ts';

/**
 * All pages. Each is shown with demo data, in two window sizes and two color schemes. The ordinary run checks every other page, each in only one of
 * these four looks, in turn. `pnpm screenshots` stores screenshots in docs/images.
 */
const PAGES: [name: string, path: (demo: Demo) => string, heading: string | RegExp][] = [
  ['overview', () => '/', 'Overview'],
  ['analytics', () => '/analytics?compare=1', 'Analytics'],
  ['affiliates', () => '/affiliates', 'Affiliates'],
  ['applications', () => '/affiliates/applications', 'Applications'],
  ['affiliate', ({ affiliateId }) => `/affiliates/${affiliateId}`, 'Ada Lovelace'],
  ['campaigns', () => '/campaigns', 'Campaigns'],
  ['campaign', ({ campaignId }) => `/campaigns/${campaignId}`, 'Friends of the shop'],
  ['rewards', ({ campaignId }) => `/campaigns/${campaignId}/rewards`, /^Rewards: /],
  ['customers', () => '/customers', 'Customers'],
  ['referrals', () => '/customers/referrals', 'Referrals'],
  ['sales', () => '/customers/sales', 'Sales'],
  ['review-queue', () => '/commissions/review', 'Needs review'],
  ['commissions', () => '/commissions', 'Commissions'],
  ['payouts', () => '/payouts', 'Payouts'],
  ['payments', () => '/payouts/payments', 'Payments'],
  ['payout-exports', () => '/payouts/exports', 'Payout exports'],
  ['payout-runs', () => '/payouts/runs', 'Payout runs'],
  ['payout-run', ({ runId }) => `/payouts/runs/${runId}`, 'Payout run'],
  ['account', () => '/settings/account', 'Account'],
  ['portal-settings', () => '/settings/portal', 'Affiliate portal'],
  ['mails', () => '/settings/mails', 'Affiliate emails'],
  ['imports', () => '/settings/imports', 'Move in'],
  ['comparison', () => '/settings/imports/comparison', 'Comparison'],
  ['outbox', () => '/settings/outbox', 'Outbox'],
  ['tracking', () => '/settings/tracking', 'Tracking'],
  ['api-keys', () => '/settings/api-keys', 'API keys'],
  ['webhooks', () => '/settings/webhooks', 'Webhooks'],
  ['webhook-endpoint', ({ endpointId }) => `/settings/webhooks/endpoints/${endpointId}`, 'Order system'],
  ['webhook-deliveries', () => '/settings/webhooks/deliveries', 'Deliveries'],
  ['webhook-delivery', ({ deliveryId }) => `/settings/webhooks/deliveries/${deliveryId}`, /Delivery of/],
  ['payment-provider', () => '/settings/payment-provider', 'Payment providers'],
  ['payout-methods', () => '/settings/payout-methods', 'Payout methods'],
  ['connectors', () => '/settings/connectors', 'Connectors'],
  ['audit-log', () => '/settings/audit-log', 'Audit log'],
  ['api-log', () => '/settings/api-keys/requests', 'API log'],
  ['profile', () => '/settings/profile', 'Profile'],
  ['members', () => '/settings/members', 'Members and invitations'],
  ['quick-look', ({ affiliateId }) => `/affiliates?look=${affiliateId}`, 'Affiliates'],
  ['not-found', () => '/nowhere', 'Page not found'],
];

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

let service: TestService;
let browser: Chromium;
let receiver: HookReceiver;
/** Navigates between all pages without reloading the application. */
let owner: Visitor;
/** Opens pages by their URL. */
let newcomer: Visitor;
let demo: Demo;

beforeAll(async () => {
  [service, browser, receiver] = await Promise.all([startServiceWithPages(), launchChromium(), HookReceiver.start()]);
  demo = await demoAccount(service, receiver);
  owner = await Visitor.arrive(browser, service.url, DESKTOP);
  if (process.env['SCREENSHOTS']) await takeOutside();
  await owner.enter('/settings/account', demo.owner);
  await owner.heading('Account');
  newcomer = await Visitor.arrive(browser, service.url, DESKTOP);
  await newcomer.enter('/settings/account', demo.owner);
});
afterAll(async () => {
  await browser.close();
  await receiver[Symbol.asyncDispose]();
  await service.stop();
});

/** Takes screenshots of the pages that do not require sign-in. */
async function takeOutside(): Promise<void> {
  await show(owner, '/sign-in', 'Sign in');
  await owner.picture('sign-in');
  await show(owner, '/forgot-password', /password/i);
  await owner.picture('forgot-password');
  const { text } = await service.mailbox.take('sofia@northwind-tea.example', /Join/);
  const { pathname, hash } = new URL(/http\S+/.exec(text)![0]);
  await show(owner, pathname + hash, /./);
  await owner.picture('invitation');
}

async function show(visitor: Visitor, path: string, heading: string | RegExp): Promise<void> {
  await visitor.open(path);
  await visitor.heading(heading);
  await visitor.settled();
}

it.each(sample(PAGES, 2, 0).map(([name, path, heading], turn) => ({ name, path, heading, turn })))(
  'the page $name has no accessibility violations at any size, in light and dark mode',
  async ({ name, path, heading, turn }) => {
    if (THOROUGH || turn % 8 === 0) await show(newcomer, path(demo), heading);
    expect(newcomer.errors).toEqual([]);
    await owner.turnTo(path(demo));
    await owner.heading(heading);
    const looks = sample(LOOKS, LOOKS.length, turn);
    for (const each of looks) {
      await owner.putOn(each);
      if (each.look === 'light') await owner.picture(name);
      else if (name === 'overview') await owner.picture(`${name}-${each.look}`);
      expect(await owner.faults({ contrast: true })).toEqual([]);
    }
    if (looks.at(-1)!.size.width !== PHONE.width) await owner.putOn({ size: PHONE, colorScheme: 'light' });
    expect([...(await owner.overflow()), ...(await owner.brokenFigures())]).toEqual([]);
  },
);

/**
 * Buttons in the content of pages, each as its page and its name, and the records that they write. Null: they write nothing. A new button fails until
 * it is listed.
 */
const BUTTONS: readonly (readonly [button: RegExp, resource: Resource | null])[] = [
  [
    /: (Compare with|Show only|Rows: |Download|Search$|More|View$|Previous page|Page \d|Next page|Quick look|Previous record|Next record|Close$|Export personal data|Copy|Show archived)/,
    null,
  ],
  [/[↕↓↑]$/, null],
  [/^\/affiliates.*: (Sign-up link|Invite by email)/, 'invitations'],
  [/^\/affiliates.*: (Add affiliate|Edit$|Archive|Select|Approve|Reject|Choose|Erase)/, 'affiliates'],
  [/^\/affiliates.*: View portal/, 'portal_tokens'],
  [/^\/affiliates.*: Add commission/, 'commissions'],
  [/^\/affiliates.*: Add a rate/, 'campaigns'],
  [/^\/affiliates.*: (Add link|Archive)/, 'links'],
  [/^\/affiliates.*: (Create coupon|Assign)/, 'affiliate_coupons'],
  [/^\/campaigns/, 'campaigns'],
  [/^\/commissions.*: (Approve|Flag|Void|Select)/, 'commissions'],
  [/^\/customers.*: (Erase|Correct|Assign|Reconsider)/, 'sales'],
  [/^\/payouts.*: (Cancel|Exclude|Retry|Create run|Export|Mark as|Mark run|Prepare|Select)/, 'payouts'],
  [/^\/settings\/members: Remove/, 'members'],
  [/^\/settings\/members: (Invite|Resend|Revoke)/, 'invitations'],
];

/** Returns the buttons, checkboxes and switches in the content of the page, also those in closed menus. */
function buttonsOf({ page }: Visitor): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('main :is(button, [role=button], input[type=checkbox])')].map((element) =>
      (element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent).trim())`);
}

describe('no page has a button that the service would refuse', () => {
  it.each(THOROUGH ? ROLES : sample(['viewer', 'finance', 'member'] as const, 3, 0))('to the role %s', async (role) => {
    const { email } = await newMember(service, demo.account, role);
    await using visitor = await Visitor.arrive(browser, service.url);
    const refused: string[] = [];
    visitor.page.on('response', (response) => response.status() === 403 && refused.push(response.url()));
    await visitor.enter('/settings/members', { email, password: MEMBER_PASSWORD });
    await visitor.heading('Members and invitations');
    const { client } = demo.account;
    const [sale] = (await client.sales.list.query({ limit: 1 })).data;
    const [customer] = (await client.customers.list.query({ limit: 1 })).data;
    const [commission] = (await client.commissions.list.query({ limit: 1 })).data;
    const [payout] = (await client.payouts.list.query({ limit: 1 })).data;
    const records = [
      `/affiliates/${demo.affiliateId}/promo-codes`,
      `/customers/${customer!.id}`,
      `/customers/sales/${sale!.id}`,
      `/commissions/${commission!.id}`,
      `/payouts/${payout!.id}`,
      '/affiliates?archived=true',
      '/campaigns?archived=true',
    ];
    const paths = [
      ...PAGES.map(([, path]) => path(demo)).filter((path) => !path.startsWith('/settings/')),
      ...records,
      '/settings/members',
    ];
    const unknown: string[] = [];
    const forbidden: string[] = [];
    for (const path of paths) {
      await visitor.turnTo(path);
      await visitor.settled();
      for (const name of await buttonsOf(visitor)) {
        const button = `${path}: ${name}`;
        const [, resource] = BUTTONS.find(([pattern]) => pattern.test(button)) ?? [];
        if (resource === undefined) unknown.push(button);
        else if (resource !== null && !roleMay(role, resource, 'write')) forbidden.push(button);
      }
    }
    expect({ unknown, forbidden, refused }).toEqual({ unknown: [], forbidden: [], refused: [] });
  });
});

describe('roles', () => {
  const PROGRAM = ['Overview', 'Analytics', 'Affiliates', 'Campaigns', 'Customers', 'Commissions', 'Payouts'];
  const SETTINGS = [
    'Account',
    'Affiliate portal',
    'Affiliate emails',
    'Move in',
    'Tracking',
    'Payment providers',
    'Payout methods',
    'API keys',
    'Webhooks',
    'Connectors',
    'Members',
    'Audit log',
    'Profile',
  ];
  /** Buttons that move money or review records, by page. */
  const DECISIONS: [page: string, buttons: RegExp][] = [
    ['campaigns', /^(Add campaign|Edit|Archive)/],
    ['review-queue', /^(Approve|Void)/],
    ['commissions', /^(Flag|Void)/],
    ['payouts', /^(Export|Create run|Mark as paid)/],
    ['payout-run', /^(Cancel run|Retry|Exclude)/],
  ];
  const pathOf = (page: string) => PAGES.find(([name]) => name === page)!;

  it('a member views the program and manages affiliates, but cannot review or pay', async () => {
    await using member = await Visitor.arrive(browser, service.url);
    await member.enter('/settings/members', demo.member);
    await member.heading('Members and invitations');
    const pages = member.page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    expect(await pages.allTextContents()).toEqual(['Back to the program', 'Members', 'Profile']);
    await member.page.getByRole('link', { name: 'Back to the program' }).click();
    await member.heading('Overview');
    expect(await pages.allTextContents()).toEqual([...PROGRAM, 'Settings']);
    for (const [page, buttons] of DECISIONS) {
      const [, path, heading] = pathOf(page);
      await member.turnTo(path(demo));
      await member.heading(heading);
      await member.page.getByRole('row').nth(1).waitFor();
      expect([page, ...(await member.button(buttons).allTextContents())]).toEqual([page]);
      expect(await member.page.getByRole('checkbox').count()).toBe(0);
    }
    await member.turnTo(`/affiliates/${demo.affiliateId}`);
    await member.button('Add link').waitFor();
    const forbidden = [
      'account',
      'portal-settings',
      'api-keys',
      'webhooks',
      'webhook-endpoint',
      'webhook-delivery',
      'payment-provider',
      'connectors',
    ];
    for (const page of sample(forbidden, 4, 0)) {
      const [, path, heading] = pathOf(page);
      await member.open(path(demo));
      await member.page.getByRole('heading', { name: 'This page requires the admin role' }).waitFor();
      expect(await member.page.getByRole('heading', { level: 1, name: heading }).count()).toBe(0);
    }
    expect(await member.faults()).toEqual([]);
  });

  it.each([
    [
      'an admin reviews, pays and manages settings, but cannot appoint owners',
      ['Viewer', 'Finance', 'Member', 'Admin'],
      () => demo.admin,
    ],
    ['an owner can also appoint owners', ['Viewer', 'Finance', 'Member', 'Admin', 'Owner'], () => demo.owner],
  ])('%s', async (_, roles, person) => {
    await using visitor = await Visitor.arrive(browser, service.url);
    await visitor.enter('/settings/members', person());
    await visitor.heading('Members and invitations');
    const pages = visitor.page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    expect(await pages.allTextContents()).toEqual(['Back to the program', ...SETTINGS]);
    const search = visitor.page.getByRole('searchbox', { name: 'Search settings' });
    await search.fill('roles');
    expect(await pages.allTextContents()).toEqual(['Back to the program', 'Members']);
    await search.fill('no such thing');
    await visitor.page.getByText('No settings match.').waitFor();
    await search.clear();
    // Ordinary runs skip the owner's pages, because program.test.ts and payouts.test.ts cover them.
    if (THOROUGH || person() !== demo.owner) {
      for (const [page, buttons] of DECISIONS) {
        await visitor.turnTo(pathOf(page)[1](demo));
        await visitor.button(buttons).first().waitFor();
      }
      await visitor.turnTo('/settings/members');
    }
    await visitor.button('Invite').click();
    const offered = visitor.dialog().getByRole('combobox', { name: 'Role' });
    await offered.waitFor();
    expect(await offered.getByRole('option').allTextContents()).toEqual(roles);
  });
});
