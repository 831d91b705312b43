import { beforeAll, describe, expect, it } from 'vitest';
import { program } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

const service = useService();
const account = useAccount(service, 'file');
let api: TestAccount['api'];
beforeAll(async () => {
  ({ api } = account);
  await program(account, { default: true });
});

let made = 0;
async function newAffiliate(): Promise<{ path: string; etag: string }> {
  made += 1;
  const { body, headers } = await api.post<{ id: string }>('/affiliates', { email: `partner-${made}@example.com` });
  return { path: `/affiliates/${body.id}`, etag: headers.get('etag')! };
}
const retrieve = (path: string, headers: Record<string, string> = {}, query = '') =>
  api.send<Outputs['affiliates']['get']>('GET', path, { headers, query });
const change = (path: string, match: string, body: object = { first_name: 'Ada' }) =>
  api.send('PATCH', path, { body, headers: { 'If-Match': match } });

describe('If-None-Match', () => {
  it('answers 304 without a body while the record is unchanged', async () => {
    const { path } = await newAffiliate();
    const etag = (await retrieve(path)).headers.get('etag')!;
    const again = await retrieve(path, { 'If-None-Match': etag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await retrieve(path, { 'If-None-Match': `"other", W/${etag}` })).status).toBe(304);
    expect((await retrieve(path, { 'If-None-Match': '*' })).status).toBe(304);
    expect((await retrieve(path, { 'If-None-Match': '"other"' })).status).toBe(200);
    await api.patch(path, { first_name: 'Grace' });
    expect((await retrieve(path, { 'If-None-Match': etag })).status).toBe(200);
  });

  it('tells apart expansions, which change for themselves', async () => {
    const { path } = await newAffiliate();
    const plain = (await retrieve(path)).headers.get('etag')!;
    const { body, headers } = await retrieve(path, {}, 'expand=campaign');
    const expanded = headers.get('etag')!;
    expect(expanded).not.toBe(plain);
    await api.patch(`/campaigns/${body.campaign_id}`, { name: 'Renamed' });
    expect((await retrieve(path, { 'If-None-Match': expanded }, 'expand=campaign')).status).toBe(200);
    expect((await retrieve(path, { 'If-None-Match': plain })).status).toBe(304);
    // A write compares only the record itself.
    expect((await change(path, expanded)).status).toBe(200);
  });

  it('with * creates a record only if it does not exist', async () => {
    const put = () =>
      api.send('PUT', '/affiliates/external:once', {
        body: { email: 'once@example.com' },
        headers: { 'If-None-Match': '*' },
      });
    expect((await put()).status).toBe(201);
    const second = await put();
    expect([second.status, second.body['code']]).toEqual([412, 'PRECONDITION_FAILED']);
  });
});

describe('If-Match', () => {
  it('changes the record that has the version, and answers with its new version', async () => {
    const { path, etag } = await newAffiliate();
    const { status, headers } = await change(path, etag);
    expect(status).toBe(200);
    expect(headers.get('etag')).not.toBe(etag);
    expect((await retrieve(path)).headers.get('etag')).toBe(headers.get('etag'));
    expect((await change(path, headers.get('etag')!, { first_name: 'Grace' })).status).toBe(200);
  });

  it('changes nothing with a version that is not current', async () => {
    const { path, etag } = await newAffiliate();
    await api.patch(path, { first_name: 'Grace' });
    const refused = await change(path, etag);
    expect([refused.status, refused.body['code']]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await retrieve(path)).body.first_name).toBe('Grace');
    const { status } = await api.send('DELETE', path, { headers: { 'If-Match': etag } });
    expect(status).toBe(412);
    expect((await retrieve(path)).body.archived_at).toBeNull();
    expect((await change(path, '*')).status).toBe(200);
  });

  it('lets one of several simultaneous changes through', async () => {
    const { path, etag } = await newAffiliate();
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => change(path, etag, { last_name: `Name ${index}` })),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(412)]);
    const winner = replies.find(({ status }) => status === 200)!;
    expect((await retrieve(path)).body.last_name).toBe(winner.body['last_name']);
  });

  it('survives clicks and other counters, which are not part of the version', async () => {
    const started = await program(account);
    const { headers } = await api.get(`/links/${started.link.id}`);
    await fetch(`${service.url}/t/${started.link.token}`, { redirect: 'manual' });
    const { status } = await api.send('PATCH', `/links/${started.link.id}`, {
      body: { url: 'https://shop.example.com/new' },
      headers: { 'If-Match': headers.get('etag')! },
    });
    expect(status).toBe(200);
  });

  it('fails for a record that does not exist yet', async () => {
    const { status, body } = await api.send('PUT', '/affiliates/external:missing', {
      body: { email: 'missing@example.com' },
      headers: { 'If-Match': '*' },
    });
    expect([status, body['code']]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await api.get('/affiliates/external:missing')).status).toBe(404);
  });

  it('is refused by an operation that cannot compare versions', async () => {
    const { status, body } = await api.send('POST', '/affiliates', {
      body: { email: 'another@example.com' },
      headers: { 'If-Match': '"version"' },
    });
    expect([status, body['details']]).toEqual([422, [expect.objectContaining({ path: 'If-Match', code: 'unsupported' })]]);
  });

  it('gives the stored response to a repeated request, whose version is no longer current', async () => {
    const { path, etag } = await newAffiliate();
    const send = () =>
      api.send('PATCH', path, {
        body: { first_name: 'Edith' },
        headers: { 'If-Match': etag, 'Idempotency-Key': 'rename-edith' },
      });
    const first = await send();
    const second = await send();
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
  });
});

describe('an Idempotency-Key', () => {
  it.each(['PATCH', 'PUT', 'DELETE'])('makes a repeated %s take effect once', async (method) => {
    const { path } = await newAffiliate();
    const url = method === 'PUT' ? '/affiliates/external:keyed' : path;
    const call = {
      ...(method === 'DELETE' ? {} : { body: method === 'PUT' ? { email: 'keyed@example.com' } : { first_name: 'Once' } }),
      headers: { 'Idempotency-Key': `once-${method}` },
    };
    const first = await api.send(method, url, call);
    // Without the key, the second request would undo this.
    const undo = await api.patch(method === 'PUT' ? `/affiliates/${String(first.body['id'])}` : path, {
      first_name: 'Changed',
      ...(method === 'DELETE' ? { archived_at: null } : {}),
    });
    expect(undo.status).toBe(200);
    const second = await api.send(method, url, call);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await retrieve(method === 'PUT' ? '/affiliates/external:keyed' : path)).body).toMatchObject({
      first_name: 'Changed',
      archived_at: null,
    });
    const other = await api.send(method, `${url}-other`, call);
    expect([other.status, other.body['code']]).toEqual([422, 'VALIDATION_ERROR']);
  });
});
