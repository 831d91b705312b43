import { describe, expect, it, test } from 'vitest';
import { Browser } from '../support/browser.ts';
import { Api, type ErrorBody, type Fields } from '../support/http.ts';
import { credentials } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';

const service = useService();
const account = useAccount(service);

const CAMPAIGN = { name: 'Tea', url: 'https://tea.example', reward_type: 'percent', commission_percent: 10 };
const UNNAMED = { ...CAMPAIGN, name: ' ' };
const inGerman = { 'Accept-Language': 'de-AT, de;q=0.9, en;q=0.8' };
const BLANK = { path: 'name', code: 'custom' };
const ENGLISH = {
  error: 'name: Must not be blank.',
  code: 'VALIDATION_ERROR',
  details: [{ ...BLANK, message: 'Must not be blank.' }],
};
const GERMAN = { error: 'Bitte ausfüllen.', code: 'VALIDATION_ERROR', details: [{ ...BLANK, message: 'Bitte ausfüllen.' }] };

const post = (path: string, body: object, headers: Record<string, string>) =>
  new Api(service.url, { ...credentials(account.id, account.apiKey), ...headers }).post<ErrorBody & Fields>(path, body);

describe('a refusal', () => {
  it.each<[string, Record<string, string>]>([
    ['no language', {}],
    ['any language', { 'Accept-Language': '*' }],
    ['a language that the service does not have', { 'Accept-Language': 'fr, it;q=0.5' }],
    ['English first', { 'Accept-Language': 'en-US, en;q=0.9, de;q=0.8' }],
    ['a name of every object', { 'Accept-Language': 'constructor, __proto__;q=0.9' }],
    ['nonsense', { 'Accept-Language': `${'de-;q='.repeat(1_000)},;;=` }],
  ])('is in English for a request that accepts %s', async (_case, headers) => {
    const { status, body } = await post('/campaigns', UNNAMED, headers);
    expect([status, body]).toMatchObject([422, ENGLISH]);
  });

  it('is in German for a request that prefers German, with the same codes and paths', async () => {
    const { status, body, headers } = await post('/campaigns', UNNAMED, inGerman);
    expect([status, body]).toMatchObject([422, GERMAN]);
    expect(headers.get('cache-control')).toBe('no-store');
    const unknown = await post('/campaigns', { ...CAMPAIGN, sluk: 'a' }, inGerman);
    expect(unknown.body.details).toMatchObject([
      { path: 'sluk', code: 'unrecognized_key', message: 'Diese Angabe gibt es nicht.' },
    ]);
  });

  it('names records, sizes and states in German', async () => {
    const { api } = account;
    const get = new Api(service.url, { ...credentials(account.id, account.apiKey), ...inGerman });
    expect((await get.get<ErrorBody>('/campaigns/camp_01k9v7m3q8e2t4r6w8y0a1b2c3')).body.error).toBe('Kampagne nicht gefunden.');
    const long = await post('/campaigns', { ...CAMPAIGN, name: 'a'.repeat(5_000) }, inGerman);
    expect(long.body.details![0]!.message).toMatch(/^Darf höchstens \d+ Zeichen haben\.$/);
    expect((await api.get<ErrorBody>('/campaigns/camp_01k9v7m3q8e2t4r6w8y0a1b2c3')).body.error).toBe('No such campaign.');
  });

  it('is in the language of the page over tRPC, also before the caller is known, and when signing in', async () => {
    const browser = new Browser(service.url, service.services.publicUrl);
    const early = await browser.query('campaigns.list', {}, { ...inGerman, Authorization: 'Bearer apk_unknown' });
    expect(early.body).toMatchObject({
      error: { data: { error: 'Dieser API-Schlüssel ist unbekannt, zurückgezogen oder abgelaufen.' } },
    });
    const { ownerEmail: email, ownerPassword: password } = account;
    const wrong = await browser.send('POST', '/auth/sign-in/email', { body: { email, password: 'wrong' }, headers: inGerman });
    expect([wrong.status, wrong.body]).toMatchObject([401, { error: 'E-Mail-Adresse oder Passwort stimmt nicht.' }]);
    await browser.signIn(email, password);
    const late = await browser.mutate('campaigns.create', UNNAMED, inGerman);
    expect(late.body).toMatchObject({ error: { message: GERMAN.error, data: GERMAN } });
    expect((await browser.mutate('campaigns.create', UNNAMED)).body).toMatchObject({ error: { data: ENGLISH } });
  });
});

test('the language of a request changes neither a stored answer nor an ETag', async () => {
  const key = { 'Idempotency-Key': 'in-two-languages' };
  const created = await post('/campaigns', CAMPAIGN, key);
  const repeated = await post('/campaigns', CAMPAIGN, { ...key, ...inGerman });
  expect([repeated.status, repeated.text]).toEqual([created.status, created.text]);
  expect(repeated.headers.get('etag')).toBe(created.headers.get('etag'));
  // A refusal is not stored, so it is made again in the language of the request that is refused.
  const other = { ...CAMPAIGN, name: 'Coffee' };
  expect((await post('/campaigns', other, key)).body.error).toContain('This key was already used');
  expect((await post('/campaigns', other, { ...key, ...inGerman })).body.error).toContain('schon mit anderen Angaben');
});
