import { useMember } from '../session/session.tsx';
import { modeName } from './endpoint-mode.ts';
import type { Endpoint } from './endpoint-status.tsx';

/** Shows the mode of the records whose events an endpoint gets, or of the record that an event is about. */
export function ModeName({ of }: { of: Pick<Endpoint, 'livemode'> }) {
  const { account } = useMember();
  return modeName(of, account);
}
