import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { InvalidPspEventError, MalformedPspEventError } from '../port/psp-error.ts';
import { parseApiBase, StripeGateway } from './stripe-gateway.ts';

describe('reading a delivery', () => {
  const gateway = new StripeGateway();
  const NOW = new Date('2026-11-21T12:00:00Z');
  const SECRET = 'whsec_current';
  const BODY = JSON.stringify(
    { id: 'evt_1', object: 'event', type: 'plan.created', created: 1_700_000_000, livemode: false, data: { object: {} } },
    null,
    2,
  );

  /** Computes a signature by hand, so that the test covers the provider's scheme instead of its SDK. */
  function signature(body: string, secret: string, ageSeconds = 0): string {
    const timestamp = Math.floor(NOW.getTime() / 1000) - ageSeconds;
    return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
  }

  const read = async (body: string, header: string | undefined, secrets = [SECRET]) => {
    const trust = await gateway.verify({ rawBody: Buffer.from(body), header: () => header }, secrets, NOW);
    expect(trust).toBe('full');
    return gateway.read(body, 'test', {});
  };

  test('a valid signature is accepted', async () => {
    expect(await read(BODY, signature(BODY, SECRET))).toMatchObject({ id: 'evt_1', type: 'plan.created' });
  });

  test('any valid secret is accepted', async () => {
    expect(await read(BODY, signature(BODY, 'whsec_previous'), [SECRET, 'whsec_previous'])).toMatchObject({ id: 'evt_1' });
  });

  test.each([
    ['no header', BODY, undefined],
    ['an empty header', BODY, ''],
    ['a malformed header', BODY, 'nonsense'],
    ['another secret', BODY, signature(BODY, 'whsec_other')],
    ['another body', BODY.replace('evt_1', 'evt_2'), signature(BODY, SECRET)],
    ['the same JSON written differently', JSON.stringify(JSON.parse(BODY)), signature(BODY, SECRET)],
    ['a timestamp ten minutes old', BODY, signature(BODY, SECRET, 600)],
  ])('refuses %s', async (_what, body, header) => {
    await expect(read(body, header)).rejects.toThrow(InvalidPspEventError);
  });

  test.each(['', 'x', '{}', '[]', 'null'])(
    'a signed body that is not an event causes a different error than a bad signature: %j',
    async (body) => {
      await expect(read(body, signature(body, SECRET))).rejects.toThrow(MalformedPspEventError);
    },
  );

  test('without a secret, every signature is refused', async () => {
    await expect(read(BODY, signature(BODY, ''), [''])).rejects.toThrow(InvalidPspEventError);
    await expect(read(BODY, signature(BODY, SECRET), [])).rejects.toThrow(InvalidPspEventError);
  });
});

describe('the address of the provider', () => {
  test.each([
    ['http://127.0.0.1:12111', { protocol: 'http', host: '127.0.0.1', port: 12111 }],
    ['https://proxy.example/', { protocol: 'https', host: 'proxy.example', port: 443 }],
    ['http://[::1]:80', { protocol: 'http', host: '::1', port: 80 }],
  ])('may be %s', (address, expected) => {
    expect(parseApiBase(address)).toEqual(expected);
  });

  test.each(['', 'api.stripe.com', 'ftp://x', 'http://x/prefix', 'http://user:pw@x', 'http://x/?a'])(
    'must not be %j',
    (address) => {
      expect(() => parseApiBase(address)).toThrow(/must be/);
    },
  );
});
