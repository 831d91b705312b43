import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHostResolver, createTextResolver } from './resolve-host.ts';

const TYPE_A = 1;
const TYPE_TXT = 16;
const TYPES: Record<number, string> = { [TYPE_A]: 'A', [TYPE_TXT]: 'TXT', 28: 'AAAA' };

interface Records {
  a?: readonly number[][];
  aaaa?: readonly number[][];
  /** TXT records, each as a list of its parts. */
  txt?: readonly string[][];
}

/**
 * Starts a name server on the loopback interface. Names that are not in `zone` do not exist. Queries for a name with
 * the value `null` are never answered.
 */
async function startNameServer(zone: ReadonlyMap<string, Records | null>) {
  const requested: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, questionEnd } = readQuestion(query);
    requested.push(`${name} ${TYPES[type]}`);
    const records = zone.get(name);
    if (records === null) return;
    const texts = records?.txt?.map((parts) => parts.flatMap((part) => [part.length, ...Buffer.from(part)]));
    const found = (type === TYPE_TXT ? texts : type === TYPE_A ? records?.a : records?.aaaa) ?? [];
    const answers = found.map((bytes) => Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]));
    const responseCode = records === undefined ? 3 : 0;
    const header = Buffer.from([query[0]!, query[1]!, 0x81, 0x80 | responseCode, 0, 1, 0, answers.length, 0, 0, 0, 0]);
    socket.send(Buffer.concat([header, query.subarray(12, questionEnd), ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, requested, close: () => socket.close() };
}

function readQuestion(query: Buffer): { name: string; type: number; questionEnd: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), questionEnd: at + 5 };
}

describe('createHostResolver', () => {
  const zone = new Map<string, Records | null>([
    [
      'both.test',
      {
        a: [
          [192, 0, 2, 1],
          [192, 0, 2, 2],
        ],
        aaaa: [[0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
      },
    ],
    ['ipv4.test', { a: [[192, 0, 2, 3]] }],
    ['ipv6.test', { aaaa: [[0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]] }],
    ['empty.test', {}],
    ['dead.test', null],
  ]);
  let server: Awaited<ReturnType<typeof startNameServer>>;

  beforeEach(async () => {
    server = await startNameServer(zone);
  });
  afterEach(() => server.close());

  const resolver = () => createHostResolver({ servers: [server.address], queryTimeoutMs: 500 });

  it('returns every address of both families, IPv4 first', async () => {
    const addresses = await resolver()('both.test');
    expect(addresses.slice(0, 2).sort()).toEqual(['192.0.2.1', '192.0.2.2']);
    expect(addresses.slice(2)).toEqual(['2001:db8::1']);
  });

  it('accepts a name with addresses of one family', async () => {
    expect(await resolver()('ipv4.test')).toEqual(['192.0.2.3']);
    expect(await resolver()('ipv6.test')).toEqual(['2001:db8::2']);
  });

  it('rejects when a name does not exist or has no address', async () => {
    await expect(resolver()('unknown.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolver()('empty.test')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('queries once for a burst', async () => {
    const resolve = resolver();
    await Promise.all([resolve('ipv4.test'), resolve('ipv4.test')]);
    await resolve('ipv4.test');
    expect(server.requested.toSorted()).toEqual(['ipv4.test A', 'ipv4.test AAAA']);
  });

  it('queries again after a failure', async () => {
    const resolve = resolver();
    await expect(resolve('later.test')).rejects.toThrow('ENOTFOUND');
    zone.set('later.test', { a: [[192, 0, 2, 4]] });
    expect(await resolve('later.test')).toEqual(['192.0.2.4']);
  });

  it('resolves other names while some name servers are silent, and times out for names on the silent servers', async () => {
    zone.set('dead-too.test', null);
    const resolve = resolver();
    const dead = ['dead.test', 'dead-too.test'].map((name) => resolve(name));
    const gaveUp = Promise.allSettled(dead).then((results) => results.map(({ status }) => status));
    const first = await Promise.race([gaveUp, resolve('ipv4.test')]);
    expect(first).toEqual(['192.0.2.3']);
    expect(await gaveUp).toEqual(['rejected', 'rejected']);
  });

  it('resolves localhost without a query', async () => {
    for (const name of ['localhost', 'localhost.', 'app.localhost']) {
      expect(await resolver()(name)).toEqual(['127.0.0.1', '::1']);
    }
    expect(server.requested).toEqual([]);
  });
});

it('createTextResolver joins texts of several parts, returns nothing for a name without texts, and fails when no server answers', async () => {
  const server = await startNameServer(
    new Map<string, Records | null>([
      ['_owner.both.test', { txt: [['acc_', '1'], ['other']] }],
      ['_owner.none.test', {}],
      ['_owner.dead.test', null],
    ]),
  );
  try {
    const resolve = createTextResolver({ servers: [server.address], queryTimeoutMs: 200 });
    expect((await resolve('_owner.both.test')).toSorted()).toEqual(['acc_1', 'other']);
    expect(await resolve('_owner.none.test')).toEqual([]);
    expect(await resolve('_owner.unknown.test')).toEqual([]);
    await expect(resolve('_owner.dead.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  } finally {
    server.close();
  }
});
