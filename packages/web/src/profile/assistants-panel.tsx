import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { Panel } from '../components/panel.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { AddToAssistant } from '../connectors/add-to-assistant.tsx';
import { accessOfConnector } from '../connectors/describe-access.ts';
import { RevokeButton } from '../connectors/revoke-button.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/connectors.ts';

type Connector = Outputs['profile']['connectors']['data'][number];

const COLUMNS: Column<Connector>[] = [
  { header: t.connector, cell: ({ name }) => <Text size="sm">{name}</Text> },
  { header: t.permissions, cell: accessOfConnector },
  { header: t.lastUsed, cell: ({ last_used_at }) => <Moment at={last_used_at} none={t.never} /> },
  { header: t.actions, cell: (connector) => <RevokeButton connector={connector} /> },
];

/** Shows the assistants that the person has connected to the current account, and how to connect one. */
export function AssistantsPanel() {
  const { account } = useMember();
  const connectors = useQuery(trpc.profile.connectors.queryOptions({ account_id: account.id }));
  return (
    <Panel title={t.ownAssistants}>
      <Stack>
        <Text size="sm">{t.ownAssistantsHint({ account: account.name })}</Text>
        <Loaded query={connectors}>
          {({ data }) =>
            data.length === 0 ? (
              <Text size="sm">{t.noOwnAssistants}</Text>
            ) : (
              <RecordTable caption={t.ownAssistants} columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
            )
          }
        </Loaded>
        <Title order={3} size="h5">
          {t.add}
        </Title>
        <AddToAssistant />
      </Stack>
    </Panel>
  );
}
