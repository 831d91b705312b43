import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { newSigningSecret, type SignedContent, signatureHeaders } from './signature.ts';

const now = () => Math.floor(Date.now() / 1_000);
const content = (body: string, deliveryId = 'dlv_1'): SignedContent => ({ deliveryId, timestamp: now(), body });

/** Verifies the headers of Standard Webhooks, with a published library. */
function verifyStandard(secret: string, body: string, headers: Record<string, string>): unknown {
  return new Webhook(secret).verify(body, headers);
}

/** Verifies the `hook-*` headers, whose key is the text of the secret. */
function verify(secret: string, body: string, headers: Record<string, string>): unknown {
  return new Webhook(secret, { format: 'raw' }).verify(body, {
    'webhook-id': headers['hook-id']!,
    'webhook-timestamp': headers['hook-timestamp']!,
    'webhook-signature': headers['hook-signature']!,
  });
}

it('both signatures are verified by an independent implementation, whatever the text', () => {
  fc.assert(
    fc.property(fc.json(), fc.uuid(), (body, id) => {
      const secret = newSigningSecret();
      const headers = signatureHeaders([secret], content(body, id));
      expect(verify(secret, body, headers)).toEqual(JSON.parse(body));
      expect(verifyStandard(secret, body, headers)).toEqual(JSON.parse(body));
    }),
  );
});

it('a signature covers the body as UTF-8 bytes', () => {
  const secret = newSigningSecret();
  const body = JSON.stringify({ name: 'Zoë 🦊 日本' });
  const headers = signatureHeaders([secret], content(body));
  expect(verify(secret, body, headers)).toEqual(JSON.parse(body));
  expect(verifyStandard(secret, body, headers)).toEqual(JSON.parse(body));
});

it('the signatures equal the known values', () => {
  const known: SignedContent = { deliveryId: 'dlv_1', timestamp: 1_700_000_000, body: '{"a":1}' };
  expect(signatureHeaders(['whsec_known'], known)['hook-signature']).toBe('v1,jVaqAyRfLihJs/MenH5xzUTisp7LaUC1QYYWGKxnEXw=');
  // The example of the standard.
  const example: SignedContent = {
    deliveryId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  };
  expect(signatureHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], example)['webhook-signature']).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

it('the headers contain a signature for each secret, so that either secret verifies them', () => {
  const secrets = [newSigningSecret(), newSigningSecret()];
  const headers = signatureHeaders(secrets, content('{}'));
  for (const name of ['hook-signature', 'webhook-signature']) expect(headers[name]).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
  for (const check of [verify, verifyStandard]) {
    for (const secret of secrets) check(secret, '{}', headers);
    expect(() => check(newSigningSecret(), '{}', headers)).toThrow('No matching signature');
  }
});

it('creates secrets of 33 random bytes in base64, without characters that shells or URLs change', () => {
  const secret = newSigningSecret();
  expect(secret).toMatch(/^whsec_[0-9A-Za-z]{44}$/);
  expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(33);
  expect(newSigningSecret()).not.toBe(secret);
});
