import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import type { TestService } from '../support/service.ts';
import { startServiceWithPages } from './service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startServiceWithPages();
});
afterAll(() => service.stop());

const statusOf = async (path: string) =>
  (await send(service.url + path, 'GET', { headers: { Accept: 'text/html,application/xhtml+xml' } })).status;

const PAGES = `/ /index.html /affiliates /affiliates/ /affiliates/aff_1 /affiliates/aff_1/promo-codes /settings/portal /setup /invitation
  /connect-assistant /sign-in /forgot-password /join/shop /portal /portal/links`;

it.each(PAGES.split(/\s+/))('the page %s answers 200', async (path) => {
  expect(await statusOf(path)).toBe(200);
});

it.each(['/nothing', '/affiliates/aff_1/nothing', '/settings/nothing', '/settings', '/wp-login.php', '/pages.json/nothing'])(
  'the path %s has no page and answers 404',
  async (path) => {
    expect(await statusOf(path)).toBe(404);
  },
);
