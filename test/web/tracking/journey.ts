import { Random } from '../../support/random.ts';
import { type Merchant, SERVICE } from './merchant.ts';

const STEPS = 6;

/**
 * Takes random steps over pages, tabs, domains, reloads and restarts of the service, with consent given at a random step. Returns the steps
 * at which the referral was lost.
 */
export async function journey(merchant: Merchant, seed: number): Promise<string[]> {
  const random = new Random(seed);
  const oneOf = <T>(values: readonly T[]): T => random.pick(values)!;
  const waitsForConsent = random.chance(1 / 2);
  let granted = !waitsForConsent;
  merchant.useScript(
    `data-domains="other.test,shop.test" ${waitsForConsent ? 'data-consent="pending"' : ''}`,
    oneOf([`${SERVICE}/track.js`, '/_aff/track.js']),
  );
  merchant.shops.body = `<a id="inside" href="/page">Page</a><a id="other" href="http://other.test/">Other</a>
    <a id="back" href="http://shop.test/">Shop</a><form action="/search"><input name="q"><button>Search</button></form>`;
  await using shopper = await merchant.arrive();
  const walk = ['arrive'];
  const lost: string[] = [];
  let expected = await shopper.open(merchant.share(oneOf(['shop.test', 'www.shop.test', 'app.shop.test'])));
  if (expected === null) return [`${seed}: arrive`];
  for (let step = 0; step < STEPS; step += 1) {
    const storedHere = granted && new URL(shopper.page.url()).hostname.endsWith('shop.test');
    const action = oneOf([
      'inside',
      'form',
      'reload',
      'spa',
      ...(granted ? [] : ['consent']),
      // A new tab and another subdomain know the referral only if it is stored.
      ...(storedHere ? ['tab', 'subdomain', 'other'] : []),
      ...(granted ? ['back', 'again'] : []),
      ...(random.chance(1 / 3) ? ['restart'] : []),
    ] as const);
    walk.push(action);
    if (action === 'inside' || action === 'other' || action === 'back') await shopper.follow(`#${action}`);
    else if (action === 'form') await shopper.follow('button');
    else if (action === 'reload') await shopper.page.reload();
    else if (action === 'restart') await merchant.restart();
    else if (action === 'spa')
      await shopper.page.evaluate(`history.replaceState(null, '', location.search); document.querySelector('main').append('.')`);
    else if (action === 'consent') {
      await shopper.page.evaluate('affiliate.consent(true)');
      await shopper.page.waitForFunction(`document.cookie.includes('affiliate_referral=')`);
      granted = true;
    } else if (action === 'tab') {
      const { origin } = new URL(shopper.page.url());
      shopper.page = await shopper.context.newPage();
      await shopper.open(`${origin}/new`);
    } else if (action === 'subdomain') await shopper.open(`http://${oneOf(['shop.test', 'www.shop.test', 'app.shop.test'])}/`);
    else await shopper.open(merchant.share(new URL(shopper.page.url()).hostname, merchant.bob));
    // Pages do not remember consent, so it is given again on every page.
    if (waitsForConsent && granted && action !== 'spa' && action !== 'restart')
      await shopper.page.evaluate('affiliate.consent(true)');
    const present = await shopper.referral();
    // Without storage, reloading the page to which Ada's link led counts as a new visit and starts a new referral.
    if (
      present &&
      action === 'reload' &&
      !granted &&
      (await merchant.referralRecord(present))['affiliate_id'] === merchant.ada.affiliate.id
    )
      expected = present;
    if (present !== expected) lost.push(`${seed}: ${walk.join(' ')} on ${shopper.page.url()}`);
  }
  return lost;
}
