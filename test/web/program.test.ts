import { describe } from 'vitest';
import { affiliates } from './program/affiliates.ts';
import { campaigns } from './program/campaigns.ts';
import { commissions } from './program/commissions.ts';
import { layout } from './program/layout.ts';
import { lists } from './program/lists.ts';
import { overview } from './program/overview.ts';
import { privacy } from './program/privacy.ts';
import { startShop } from './program/shop.ts';

// All tests of this file share one service and one browser.
const shop = startShop();

describe('the overview', () => {
  overview(shop);
});
describe('campaigns', () => {
  campaigns(shop);
});
describe('lists', () => {
  lists(shop);
});
describe('affiliates', () => {
  affiliates(shop);
});
describe('commissions', () => {
  commissions(shop);
});
describe('personal data', () => {
  privacy(shop);
});
describe('the layout', () => {
  layout(shop);
});
