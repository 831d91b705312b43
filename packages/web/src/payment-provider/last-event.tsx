import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { Filled } from '../components/filled.tsx';
import { Ago } from '../lists/ago.tsx';
import { t } from '../texts/assigning.ts';

const REFRESH_MS = 10_000;

/** Shows when Stripe's last event was received, counting only events of the connection's mode (live or test). */
export function LastEvent({ livemode }: { livemode: boolean }) {
  const { data } = useQuery(trpc.pspConnection.lastEvents.queryOptions({}, { refetchInterval: REFRESH_MS }));
  if (data === undefined) return null;
  const [own, other] = livemode ? [data.live, data.test] : [data.test, data.live];
  if (own === null) return <Text>{other === null ? t.noEvent : t.otherModeOnly}</Text>;
  return (
    <Text>
      <Filled text={t.lastEvent} values={{ at: <Ago at={own} /> }} />
    </Text>
  );
}
