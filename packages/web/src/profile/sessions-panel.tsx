import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { auth } from '../api/auth.ts';
import { type Outputs, trpc } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { notify, notifyFailure } from '../components/notices.tsx';
import { Panel } from '../components/panel.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Ago } from '../lists/ago.tsx';
import { t } from '../texts/profile.ts';

type Session = Outputs['profile']['sessions']['data'][number];

const columns: Column<Session>[] = [
  {
    header: t.device,
    cell: (session) => (
      <Group gap="xs">
        <Text size="sm">{deviceOf(session)}</Text>
        {session.is_current && <Badge variant="light">{t.thisSession}</Badge>}
      </Group>
    ),
  },
  { header: t.lastUsed, cell: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
  { header: t.started, cell: ({ started_at }) => <Moment at={started_at} /> },
  { header: t.action, cell: (session) => !session.is_current && <EndButton session={session} /> },
];

export function SessionsPanel() {
  const sessions = useQuery(trpc.profile.sessions.queryOptions());
  const endOthers = useMutation({
    mutationFn: auth.signOutElsewhere,
    onSuccess: () => notify(t.signedOutElsewhere),
  });
  return (
    <Panel title={t.sessions}>
      <Stack>
        <Text size="sm">{t.sessionsHint}</Text>
        <Loaded query={sessions}>
          {({ data }) => <RecordTable caption={t.sessions} columns={columns} rows={data} keyOf={({ id }) => id} />}
        </Loaded>
        {endOthers.isError && <Failure error={endOthers.error} />}
        <Group>
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {t.signOutElsewhere}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}

function deviceOf({ browser, os }: Session): string {
  if (browser === null) return os ?? t.unknownDevice;
  return os === null ? browser : t.browserOnSystem({ browser, os });
}

function EndButton({ session }: { session: Session }) {
  const end = useMutation(
    trpc.profile.endSession.mutationOptions({
      onError: notifyFailure,
      onSuccess: () => notify(t.sessionEnded),
    }),
  );
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={end.isPending}
      aria-label={t.endSessionOf({ device: deviceOf(session) })}
      onClick={() => end.mutate({ session_id: session.id })}
    >
      {t.endSession}
    </Button>
  );
}
