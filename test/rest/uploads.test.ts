import { randomBytes } from 'node:crypto';
import { type Socket, connect } from 'node:net';
import { Readable } from 'node:stream';
import { purgeUploads } from '@affiliate/core';
import { AffiliateProgram } from '@affiliate/sdk';
import { Client } from 'pg';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Fields, Reply } from '../support/http.ts';
import { type TestAccount, type TestService, startService } from '../support/service.ts';

const MIB = 1024 * 1024;
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=', 'base64');
const LOGO = '/api/settings/v1/portal_settings/logo/upload';

let service: TestService;
let account: TestAccount;
let client: Client;

beforeAll(async () => {
  service = await startService();
  client = new Client(service.databaseUrl);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service.stop();
});
beforeEach(async () => {
  account = await service.createAccount();
});

function upload(name: string, bytes: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}): Promise<Reply> {
  return account.api.send('POST', '/assets/upload', {
    query: { name },
    raw: bytes,
    headers: { 'Content-Type': 'application/octet-stream', ...headers },
  });
}

/** The longest text so far, because making one takes long. Shorter texts are its beginning. */
let longest = Buffer.alloc(0);

/** A text whose parts differ. */
function textOf(size: number): Uint8Array<ArrayBuffer> {
  if (longest.length < size)
    longest = Buffer.from(Array.from({ length: Math.ceil(size / 8) }, (_, i) => String(i).padStart(8, '0')).join(''));
  return new Uint8Array(longest.subarray(0, size));
}

async function contentOf({ body }: Reply): Promise<Buffer> {
  const { body: file } = await account.api.get<{ download_url: string }>(`/assets/${String(body['id'])}`);
  const reply = await fetch(file.download_url.replace(service.services.publicUrl, service.url));
  return Buffer.from(await reply.arrayBuffer());
}

/** Sends the beginning of a file of 5 MiB for an account. */
function begin(bytes: number, { api } = account): Socket {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const headers = Object.entries(api.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `POST /api/v1/assets/upload?name=text.txt HTTP/1.1\r\nHost: localhost\r\n${headers.join('')}Content-Type: text/plain\r\nContent-Length: ${5 * MIB}\r\n\r\n`,
  );
  socket.write(textOf(bytes));
  return socket;
}

/** Number of rows that uploads of the account have left, beside those of its files. */
async function leftovers(): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select (select count(*) from upload where account_id = $1)
       + (select count(*) from file_part where account_id = $1 and file_id not in (select file_id from asset)) as count`,
    [account.id],
  );
  return Number(rows[0]!.count);
}

/** Number of parts of files that have been stored for the account. */
async function arrived(): Promise<number | null> {
  return (await client.query('select from file_part where account_id = $1', [account.id])).rowCount;
}

describe('a file that is the body of a request', () => {
  it.each([1, 65_535, 65_536, 65_537, 300_000, 5 * MIB])('is stored as it is: %i bytes', async (size) => {
    const bytes = textOf(size);
    const reply = await upload('text.txt', bytes);
    expect([reply.status, reply.body['size_bytes'], reply.body['content_type']]).toEqual([201, size, 'text/plain']);
    expect((await contentOf(reply)).equals(bytes)).toBe(true);
    expect(await leftovers()).toBe(0);
  });

  it('may arrive in chunks without an announced length', async () => {
    const bytes = textOf(200_000);
    const reply = await request(`${service.url}/api/v1/assets/upload?name=text.txt&description=A%20text`, {
      method: 'POST',
      headers: { ...account.api.headers, 'content-type': 'text/plain' },
      body: Readable.from([bytes.subarray(0, 70_000), bytes.subarray(70_000)]),
    });
    const body = (await reply.body.json()) as Fields;
    expect([reply.statusCode, body['description'], body['size_bytes']]).toEqual([201, 'A text', 200_000]);
  });

  it('can be the logo', async () => {
    const reply = await account.api.send<{ brand: { logo_path: string } }>('PUT', LOGO, {
      raw: new Uint8Array(PNG),
      headers: { 'Content-Type': 'image/png' },
    });
    expect(reply.status).toBe(200);
    const logo = await fetch(`${service.url}${reply.body.brand.logo_path}`);
    expect(logo.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await logo.arrayBuffer()).equals(PNG)).toBe(true);
    expect(await leftovers()).toBe(0);
  });

  it('is uploaded by the SDK, and downloaded again', async () => {
    const program = new AffiliateProgram({ url: service.url, apiKey: account.apiKey, accountId: account.id });
    const asset = await program.assets.upload(new Blob([PNG]), { name: 'banner.png' });
    expect(asset).toMatchObject({ name: 'banner.png', content_type: 'image/png', size_bytes: PNG.length });
  });

  it('takes effect once with an Idempotency-Key, which stands for the bytes, too', async () => {
    const headers = { 'Idempotency-Key': 'upload-1' };
    const first = await upload('text.txt', 'We love tea.', headers);
    const again = await upload('text.txt', 'We love tea.', headers);
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body]);
    expect((await upload('text.txt', 'We love milk.', headers)).status).toBe(422);
    expect((await account.api.get<{ data: unknown[] }>('/assets')).body.data).toHaveLength(1);
    expect(await leftovers()).toBe(0);
  });

  it('is deleted with its record', async () => {
    const { body } = await upload('text.txt', textOf(200_000));
    await account.api.delete(`/assets/${String(body['id'])}`);
    expect((await client.query('select from file_part where account_id = $1', [account.id])).rowCount).toBe(0);
  });
});

describe('a refused upload', () => {
  it.each<[string, string, Uint8Array<ArrayBuffer> | string, Record<string, string>, number, string]>([
    ['is too large', 'text.txt', textOf(5 * MIB + 1), {}, 413, 'PAYLOAD_TOO_LARGE'],
    ['is empty', 'text.txt', '', { 'Content-Length': '0' }, 422, 'VALIDATION_ERROR'],
    ['has an unknown type', 'banner.png', new Uint8Array(randomBytes(2 * MIB)), {}, 422, 'VALIDATION_ERROR'],
    ['has another type than its name', 'banner.png', 'We love tea.', {}, 422, 'VALIDATION_ERROR'],
    [
      'has control characters behind its first part',
      'text.txt',
      new Uint8Array(Buffer.concat([textOf(300_000), Buffer.from([1])])),
      {},
      422,
      'VALIDATION_ERROR',
    ],
    ['has a name that is none', 'banner', 'We love tea.', {}, 422, 'VALIDATION_ERROR'],
    ['is JSON', 'text.txt', '{}', { 'Content-Type': 'application/json' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['is a form', 'text.txt', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'has several parts',
      'text.txt',
      '--x',
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['is compressed', 'text.txt', 'x', { 'Content-Encoding': 'gzip' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('that %s leaves nothing behind', async (_, name, bytes, headers, status, code) => {
    const reply = await upload(name, bytes, headers);
    expect([reply.status, reply.body['code']]).toEqual([status, code]);
    expect(await leftovers()).toBe(0);
  });

  it('is not stored before its caller is known to be allowed', async () => {
    const key = await account.apiWith({ 'v1.campaigns.read': true });
    const reply = await key.send('POST', '/assets/upload', { query: { name: 'text.txt' }, raw: textOf(5 * MIB) });
    expect(reply.status).toBe(403);
    expect(await leftovers()).toBe(0);
  });

  it('has no announced length and is too large', async () => {
    const endless = (async function* () {
      const part = textOf(100_000);
      for (;;) yield part;
    })();
    const reply = await request(`${service.url}/api/v1/assets/upload?name=text.txt`, {
      method: 'POST',
      headers: { ...account.api.headers, 'content-type': 'text/plain' },
      body: Readable.from(endless),
    });
    expect(reply.statusCode).toBe(413);
    await reply.body.dump();
    await expect.poll(leftovers).toBe(0);
  });
});

describe('an upload whose connection ends', () => {
  it('leaves nothing behind', async () => {
    const socket = begin(300_000);
    await expect.poll(arrived).toBe(4);
    socket.destroy();
    await expect.poll(leftovers).toBe(0);
    expect((await account.api.get<{ data: unknown[] }>('/assets')).body.data).toEqual([]);
  });

  it('makes room for others: four files of an account arrive at the same time', async () => {
    const sockets = [begin(70_000), begin(70_000), begin(70_000), begin(70_000)];
    await expect.poll(arrived).toBe(4);
    expect((await upload('text.txt', 'We love tea.')).status).toBe(429);
    const other = await service.createAccount();
    expect(
      (
        await other.api.send('POST', '/assets/upload', {
          query: { name: 'text.txt' },
          raw: 'tea',
          headers: { 'Content-Type': 'text/plain' },
        })
      ).status,
    ).toBe(201);
    for (const socket of sockets) socket.destroy();
    await expect.poll(leftovers).toBe(0);
    expect((await upload('text.txt', 'We love tea.')).status).toBe(201);
  });

  it('is purged after an hour if its process died', async () => {
    const fileId = '00000000-0000-4000-8000-000000000001';
    await client.query('insert into upload values ($1, $2, $3)', [fileId, account.id, service.clock.now()]);
    await client.query('insert into file_part values ($1, 0, $2, $3)', [fileId, account.id, Buffer.from('tea')]);
    expect(await purgeUploads(service.services)).toBe(0);
    service.clock.advance(1, 'hours');
    expect(await purgeUploads(service.services)).toBe(1);
    expect(await leftovers()).toBe(0);
  });

  it('is purged although that of another cannot be', async () => {
    const [stuck, other] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    for (const id of [stuck, other])
      await client.query('insert into upload values ($1, $2, $3)', [id, account.id, service.clock.now()]);
    service.clock.advance(1, 'hours');
    await client.query(`create function fail_purge() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger fail_purge before delete on upload for each row when (old.file_id = '${stuck}') execute function fail_purge()`);
    await expect(purgeUploads(service.services)).rejects.toThrow('broken');
    expect((await client.query('select file_id from upload')).rows).toEqual([{ file_id: stuck }]);
    await client.query('drop function fail_purge cascade');
    expect(await purgeUploads(service.services)).toBe(1);
  });

  it('holds only a small part of its file in memory', async () => {
    const liveBytes = () => {
      globalThis.gc!();
      const { external, heapUsed } = process.memoryUsage();
      return external + heapUsed;
    };
    const before = liveBytes();
    const accounts = [account, ...(await Promise.all([1, 2, 3].map(() => service.createAccount())))];
    const sockets = accounts.flatMap((each) => Array.from({ length: 4 }, () => begin(4 * MIB, each)));
    const all = async () =>
      (await client.query('select from file_part where account_id = any ($1)', [accounts.map(({ id }) => id)])).rowCount;
    await expect.poll(all, { timeout: 20_000 }).toBe(16 * 64);
    const held = liveBytes() - before;
    for (const socket of sockets) socket.destroy();
    await expect.poll(leftovers).toBe(0);
    // Sixteen times the beginning that is kept to detect the type. The bytes that have arrived are 64 MiB.
    expect(held).toBeLessThan(12 * MIB);
  }, 30_000);
});
