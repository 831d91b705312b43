import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checkEndpointUrl, MAX_ENDPOINT_URL_LENGTH, type ResolveHost } from './endpoint-url.ts';
import { isPublicAddress, parseAllowedNetworks } from './public-address.ts';

const PUBLIC = '93.184.215.14';

/** Creates a name server for the given names, and records the names that it looks up. */
function nameServer(records: Record<string, string[]>): { resolve: ResolveHost; requested: string[] } {
  const requested: string[] = [];
  const resolve: ResolveHost = async (hostname) => {
    requested.push(hostname);
    const addresses = records[hostname];
    if (addresses === undefined) throw new Error('ENOTFOUND');
    return addresses;
  };
  return { resolve, requested };
}

const noNames: ResolveHost = () => Promise.reject(new Error('must not be called'));

describe('checkEndpointUrl', () => {
  it('accepts a name with only public addresses, and returns the addresses', async () => {
    const { resolve, requested } = nameServer({ 'hooks.example.com': [PUBLIC, '2606:4700::1'] });
    const check = await checkEndpointUrl('https://hooks.example.com/in?a=1#part', { allowed: [], resolve });
    expect(check).toMatchObject({ ok: true, addresses: [PUBLIC, '2606:4700::1'] });
    expect(requested).toEqual(['hooks.example.com']);
  });

  it('accepts literal public addresses without asking a name server', async () => {
    const check = await checkEndpointUrl(`https://${PUBLIC}:8443/`, { allowed: [], resolve: noNames });
    expect(check).toMatchObject({ ok: true, addresses: [PUBLIC] });
    const check6 = await checkEndpointUrl('https://[2606:4700:0:0::1]/', { allowed: [], resolve: noNames });
    expect(check6).toMatchObject({ ok: true, addresses: ['2606:4700::1'] });
  });

  it('resolves an international name in its ASCII form', async () => {
    const { resolve, requested } = nameServer({ 'xn--bcher-kva.example': [PUBLIC] });
    expect(await checkEndpointUrl('https://Bücher.example/', { allowed: [], resolve })).toMatchObject({ ok: true });
    expect(requested).toEqual(['xn--bcher-kva.example']);
  });

  test.each([
    ['empty', ''],
    ['relative', '/hooks'],
    ['no host', 'https://'],
    ['another scheme', 'ftp://example.com/'],
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['a user name', 'https://user@example.com/'],
    ['a password', 'https://:secret@example.com/'],
    ['a zone', 'http://[fe80::1%25eth0]/'],
    ['an impossible port', 'https://example.com:65536/'],
    ['port 0', 'https://example.com:0/'],
    ['SSH', 'https://example.com:22/'],
    ['SMTP', 'http://example.com:25/'],
    ['SMTP with TLS', 'https://example.com:465/'],
    ['LDAP', 'http://example.com:389/'],
    ['the last privileged port', 'https://example.com:1023/'],
    ['PostgreSQL', 'http://example.com:5432/'],
    ['Redis', 'http://example.com:6379/'],
    ['Redis, with leading zeros', 'http://example.com:0006379/'],
    ['memcached', 'http://example.com:11211/'],
    ['MongoDB', 'https://example.com:27017/'],
    ['an impossible IPv4 address', 'http://256.1.1.1/'],
    ['a space in the host', 'https://exa mple.com/'],
    ['too long', `https://example.com/${'a'.repeat(MAX_ENDPOINT_URL_LENGTH)}`],
  ])('refuses as invalid: %s', async (_why, url) => {
    expect(await checkEndpointUrl(url, { allowed: [], resolve: noNames })).toMatchObject({ ok: false, code: 'invalid_uri' });
  });

  test.each([
    'http://HOST/',
    'https://HOST:80/',
    'http://HOST:443/',
    'http://HOST:1024/',
    'https://HOST:8443/',
    'https://HOST:65535/',
  ])('accepts the port of %s', async (url) => {
    const check = await checkEndpointUrl(url.replace('HOST', PUBLIC), { allowed: [], resolve: noNames });
    expect(check).toMatchObject({ ok: true });
  });

  it('accepts the longest URL', async () => {
    const url = `https://${PUBLIC}/`.padEnd(MAX_ENDPOINT_URL_LENGTH, 'a');
    expect(await checkEndpointUrl(url, { allowed: [], resolve: noNames })).toMatchObject({ ok: true });
    expect(await checkEndpointUrl(`${url}a`, { allowed: [], resolve: noNames })).toMatchObject({ code: 'invalid_uri' });
  });

  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://017700000001/',
    'http://0177.0.0.01/',
    'http://127.0.0.1./',
    'http://１２７.０.０.１/',
    'http://%31%32%37.0.0.1/',
    'http://127。0。0。1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http:\\\\127.0.0.1\\',
  ])('refuses as private, without asking a name server: %s', async (url) => {
    expect(await checkEndpointUrl(url, { allowed: [], resolve: noNames })).toMatchObject({ ok: false, code: 'private_uri' });
  });

  test.each([
    ['localhost', ['127.0.0.1', '::1']],
    ['localhost.', ['127.0.0.1']],
    ['one-private-record.example', [PUBLIC, '10.0.0.1']],
    ['private-ipv6.example', [PUBLIC, 'fe80::1']],
    ['zone.example', ['fe80::1%eth0']],
    ['nonsense.example', ['not an address']],
  ])('refuses %s with the addresses %j', async (hostname, addresses) => {
    const { resolve } = nameServer({ [hostname]: addresses });
    const check = await checkEndpointUrl(`http://${hostname}/`, { allowed: [], resolve });
    expect(check).toMatchObject({ ok: false, code: 'private_uri' });
    for (const address of addresses) expect(JSON.stringify(check)).not.toContain(address);
  });

  it('accepts networks that the operator allows, only if every record is permitted', async () => {
    const { resolve } = nameServer({ localhost: ['127.0.0.1', '::1'] });
    const url = 'http://localhost:3000/';
    const both = parseAllowedNetworks('127.0.0.0/8,::1/128');
    expect(await checkEndpointUrl(url, { allowed: both, resolve })).toMatchObject({ ok: true });
    const one = parseAllowedNetworks('127.0.0.0/8');
    expect(await checkEndpointUrl(url, { allowed: one, resolve })).toMatchObject({ code: 'private_uri' });
  });

  it('reports a name that does not resolve, or has no address', async () => {
    const { resolve } = nameServer({ 'empty.example': [] });
    const unknown = await checkEndpointUrl('https://unknown.example/', { allowed: [], resolve });
    expect(unknown).toMatchObject({ ok: false, code: 'dns_error' });
    const empty = await checkEndpointUrl('https://empty.example/', { allowed: [], resolve });
    expect(empty).toMatchObject({ ok: false, code: 'dns_error' });
  });

  it('accepts only permitted addresses, whatever the URL', async () => {
    const urls = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.ipV4Extended().map((ip) => `http://${ip}/`),
      fc.ipV6().map((ip) => `http://[${ip}]/`),
    );
    const records = fc.array(fc.oneof(fc.ipV4(), fc.ipV6()), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(urls, records, async (url, addresses) => {
        const check = await checkEndpointUrl(url, { allowed: [], resolve: async () => addresses });
        const reached = check.ok ? check.addresses : [PUBLIC];
        expect(reached.length > 0 && reached.every(isPublicAddress)).toBe(true);
      }),
    );
  });
});
