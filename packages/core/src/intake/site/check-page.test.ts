import { describe, expect, it } from 'vitest';
import { checkPage } from './check-page.ts';

const SERVICE = { accountId: 'acct_1', publicUrl: 'https://affiliates.example.com', params: [] };
const GOOD = '<script async src="https://affiliates.example.com/track.js" data-account="acct_1"></script>';
const PROXIED = "<SCRIPT src='/_aff/track.js' data-account=acct_1></SCRIPT>";

const check = (html: string, ...policies: string[]) =>
  checkPage({ url: 'https://shop.example.com/start', html, policies }, SERVICE);

describe('the script of a page', () => {
  it.each([
    ['as in the snippet', `<head>${GOOD}</head>`],
    ['with a fixed version', GOOD.replace('track.js', 'track.0123456789ab.js')],
    ['behind the merchant’s own domain', PROXIED],
    ['beside the script of another account', GOOD.replace('acct_1', 'acct_2') + GOOD],
  ])('is found %s', (_how, html) => {
    expect(check(html)).toMatchObject({ script: { account_id: 'acct_1' }, problems: [] });
  });

  it.each([
    ['<p>No script</p>', ['missing']],
    [`<!-- ${GOOD} -->`, ['missing']],
    ['<script src="https://affiliates.example.com/app.js" data-account="acct_1"></script>', ['missing']],
    [GOOD.replace('acct_1', 'acct_2'), ['wrong_account']],
    [GOOD.replace(' data-account="acct_1"', ''), ['no_account']],
    [GOOD.replace('affiliates.example', 'cdn.example'), ['other_host']],
    ['<script src="https://other.example.com/_aff/track.js" data-account="acct_1"></script>', ['other_host']],
  ])('in %s has the problems %j', (html, problems) => {
    expect(check(html).problems).toEqual(problems);
  });

  it.each([
    ["default-src 'self'", GOOD, ['blocked_script', 'blocked_reports']],
    ["default-src 'self'", PROXIED, []],
    ["script-src https://affiliates.example.com; connect-src 'self'", GOOD, ['blocked_reports']],
    ['script-src *.example.com; connect-src https:', GOOD, []],
    ["default-src 'none'; script-src-elem https://affiliates.example.com/; connect-src affiliates.example.com:443", GOOD, []],
    ["script-src 'nonce-abc' 'strict-dynamic'; connect-src *", GOOD, ['blocked_script']],
    ["script-src 'nonce-abc' 'strict-dynamic'; connect-src *", GOOD.replace('async', 'nonce=abc'), []],
    ['img-src *', GOOD, []],
  ])('under the policy %j, as %s, has the problems %j', (policy, html, problems) => {
    expect(check(html, policy).problems).toEqual(problems);
    expect(check(`<meta http-equiv="Content-Security-Policy" content="${policy}">${html}`).problems).toEqual(problems);
  });

  it.each([
    ['', ['missing_params']],
    ['data-params="ref"', ['missing_params']],
    ['data-params="fpr, ref aff"', []],
  ])('with %j is compared with the link parameters of the campaigns', (attribute, problems) => {
    const html = GOOD.replace('async', `async ${attribute}`);
    const page = { url: 'https://shop.example.com/start', html, policies: [] };
    expect(checkPage(page, { ...SERVICE, params: ['ref', 'fpr'] }).problems).toEqual(problems);
  });

  it('is searched for in linear time', () => {
    const hostile = '<script '.repeat(100_000) + '<!--'.repeat(100_000) + '<meta "'.repeat(20_000);
    expect(check(hostile).problems).toEqual(['missing']);
  });
});
