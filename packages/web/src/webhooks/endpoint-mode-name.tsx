import { useMember } from '../session/session.tsx';
import { modeName } from './endpoint-mode.ts';
import type { Endpoint } from './endpoint-status.tsx';

/** Shows the records whose events an endpoint gets. */
export function EndpointModeName({ endpoint }: { endpoint: Endpoint }) {
  const { account } = useMember();
  return modeName(endpoint, account);
}
