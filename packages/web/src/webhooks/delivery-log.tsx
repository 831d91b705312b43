import { DELIVERY_STATUSES, EVENT_TYPES } from '@affiliate/core/browser';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { optionsOf } from '../components/labels.ts';
import { Moment } from '../components/moment.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { PagedTable } from '../components/paged-table.tsx';
import type { Column } from '../components/record-table.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/webhooks.ts';
import { type Delivery, DeliveryState, pollWhileUnderWay } from './delivery-state.tsx';
import { modeName, ModeName } from './endpoint-mode.tsx';
import { RetryButton } from './retry-button.tsx';

const COLUMNS: Column<Delivery>[] = [
  {
    header: t.event,
    cell: ({ id, event_type, test }) => (
      <>
        <Anchor component={Link} to={`/settings/webhooks/deliveries/${id}`} fw={500}>
          {event_type}
        </Anchor>
        {test && (
          <Text span size="sm" c="dimmed">
            {t.test}
          </Text>
        )}
      </>
    ),
  },
  { header: t.mode, cell: (delivery) => <ModeName of={delivery} /> },
  { header: t.status, cell: (delivery) => <DeliveryState delivery={delivery} /> },
  { header: t.attempts, numeric: true, cell: ({ attempts_count }) => attempts_count },
  { header: t.lastAttempt, cell: ({ last_attempt_at }) => <Moment at={last_attempt_at} none={t.noneYet} /> },
  { header: t.created, cell: ({ created_at }) => <Moment at={created_at} /> },
  { header: t.actions, cell: (delivery) => <RetryButton delivery={delivery} /> },
];

/** Modes by which the log can be filtered, as the filter writes them into the address. */
const MODES = ['true', 'false'] as const;
const MODE_OPTIONS = MODES.map((value) => ({ value, label: modeName({ livemode: value === 'true' }, { livemode: true }) }));

interface DeliveryLogProps {
  endpointId?: string | undefined;
  /** Further filters. */
  children?: ReactNode;
}

/** Lists the deliveries of one endpoint, or of all endpoints, newest first. */
export function DeliveryLog({ endpointId, children }: DeliveryLogProps) {
  const page = usePageNumber();
  const status = useChoice('status', DELIVERY_STATUSES);
  const event_type = useChoice('event_type', EVENT_TYPES);
  const mode = useChoice('livemode', MODES);
  const { account } = useMember();
  const deliveries = useQuery(
    trpc.webhookDeliveries.list.queryOptions(
      { page, endpoint_id: endpointId, status, event_type, livemode: mode && mode === 'true' },
      { refetchInterval: ({ state }) => pollWhileUnderWay(state.data?.data) },
    ),
  );
  return (
    <Stack>
      <Group>
        {children}
        <Filter label={t.status} name="status" all={t.all} options={optionsOf(DELIVERY_STATUSES)} />
        <Filter label={t.event} name="event_type" all={t.all} options={EVENT_TYPES.map((value) => ({ value, label: value }))} />
        {account.livemode && <Filter label={t.mode} name="livemode" all={t.all} options={MODE_OPTIONS} />}
      </Group>
      <PagedTable
        query={deliveries}
        caption={t.deliveries}
        columns={COLUMNS}
        empty={
          <EmptyState picture="webhooks" title={t.noDeliveries}>
            {status || event_type || mode ? t.noMatches : t.noDeliveriesHint}
          </EmptyState>
        }
      />
    </Stack>
  );
}
