import { createHmac } from 'node:crypto';
import type { ClientFacts, Services } from '../../platform/call/context.ts';

const KEY_BYTES = 8;
const keys = new WeakMap<Services['secrets'], { day: string; key: string }>();

/**
 * Returns a key by which a visitor of an account is recognized within one UTC day without storing who they are. The key is a hash of
 * account, IP address and user agent, keyed with a secret that is derived for the day.
 */
export function visitorKeyOf({ secrets }: Services, accountId: string, day: string, client: ClientFacts | undefined): Uint8Array {
  let current = keys.get(secrets);
  if (current?.day !== day) {
    current = { day, key: secrets.derive(`visitors ${day}`) };
    keys.set(secrets, current);
  }
  const who = `${accountId}\n${client?.address ?? ''}\n${client?.userAgent ?? ''}`;
  return createHmac('sha256', current.key).update(who).digest().subarray(0, KEY_BYTES);
}
