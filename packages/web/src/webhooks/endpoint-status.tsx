import { Text } from '@mantine/core';
import type { Outputs } from '../api/client.ts';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { t } from '../texts/webhooks.ts';

export type Endpoint = Outputs['webhookEndpoints']['list']['data'][number];

function shownState({ active, disabled_reason, failing_since }: Endpoint): string {
  if (active) return failing_since === null ? 'active' : 'failing';
  return disabled_reason === null ? 'paused' : 'stopped';
}

/** Shows the status of an endpoint and, if the service has deactivated it, the reason. */
export function EndpointStatus({ endpoint }: { endpoint: Endpoint }) {
  const { active, disabled_reason, disabled_at, failing_since } = endpoint;
  return (
    <div>
      <StateBadge state={shownState(endpoint)} />
      {disabled_reason !== null && (
        <Text size="sm">
          {disabled_reason === 'gone' ? t.endpointGone : t.failedForFiveDays}, <Moment at={disabled_at} />
        </Text>
      )}
      {active && failing_since !== null && (
        <Text size="sm">
          <Filled text={t.failingSince} values={{ at: <Moment at={failing_since} /> }} />
        </Text>
      )}
    </div>
  );
}
