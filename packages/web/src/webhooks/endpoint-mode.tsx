import { useMember } from '../session/session.tsx';
import { t } from '../texts/webhooks.ts';
import type { Endpoint } from './endpoint-status.tsx';

/** The records of the live account whose events an endpoint gets. */
export type EndpointMode = 'both' | 'live' | 'test';

export const MODE_CHOICES: { value: EndpointMode; label: string }[] = [
  { value: 'both', label: t.bothModes },
  { value: 'live', label: t.liveMode },
  { value: 'test', label: t.providerTestMode },
];

export function modeOf({ livemode }: Pick<Endpoint, 'livemode'>): EndpointMode {
  if (livemode === null) return 'both';
  return livemode ? 'live' : 'test';
}

export function livemodeOf(mode: EndpointMode): Endpoint['livemode'] {
  return mode === 'both' ? null : mode === 'live';
}

/** Returns the name of the mode of an endpoint or an event. In a test account, all endpoints and events are of test mode. */
export function modeName(of: Pick<Endpoint, 'livemode'>, account: { livemode: boolean }): string {
  if (!account.livemode) return t.testMode;
  const mode = modeOf(of);
  return MODE_CHOICES.find(({ value }) => value === mode)!.label;
}

/** Shows the mode of the records whose events an endpoint gets, or of the record that an event is about. */
export function ModeName({ of }: { of: Pick<Endpoint, 'livemode'> }) {
  const { account } = useMember();
  return modeName(of, account);
}
