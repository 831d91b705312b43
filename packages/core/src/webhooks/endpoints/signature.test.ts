import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { newSigningSecret, signatureHeader } from './signature.ts';

const verify = (secret: string, id: string, timestamp: number, body: string, signature: string) =>
  new Webhook(secret, { format: 'raw' }).verify(body, {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  });
const now = () => Math.floor(Date.now() / 1_000);

it('a signature is verified by an independent implementation, whatever the text', () => {
  fc.assert(
    fc.property(fc.json(), fc.uuid(), (body, id) => {
      const secret = newSigningSecret();
      const timestamp = now();
      expect(verify(secret, id, timestamp, body, signatureHeader([secret], id, timestamp, body))).toEqual(JSON.parse(body));
    }),
  );
});

it('a signature covers the body as UTF-8 bytes', () => {
  const secret = newSigningSecret();
  const body = JSON.stringify({ name: 'Zoë 🦊 日本' });
  const timestamp = now();
  expect(verify(secret, 'dlv_1', timestamp, body, signatureHeader([secret], 'dlv_1', timestamp, body))).toEqual(JSON.parse(body));
});

it('a signature equals the known value', () => {
  expect(signatureHeader(['whsec_known'], 'dlv_1', 1_700_000_000, '{"a":1}')).toBe(
    'v1,jVaqAyRfLihJs/MenH5xzUTisp7LaUC1QYYWGKxnEXw=',
  );
});

it('the header contains a signature for each secret, so that either secret verifies it', () => {
  const secrets = [newSigningSecret(), newSigningSecret()];
  const header = signatureHeader(secrets, 'dlv_1', now(), '{}');
  expect(header).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
  for (const secret of secrets) verify(secret, 'dlv_1', now(), '{}', header);
  expect(() => verify(newSigningSecret(), 'dlv_1', now(), '{}', header)).toThrow('No matching signature');
});

it('creates secrets of 32 random bytes', () => {
  const secret = newSigningSecret();
  expect(Buffer.from(secret.slice('whsec_'.length), 'base64url')).toHaveLength(32);
  expect(newSigningSecret()).not.toBe(secret);
});
