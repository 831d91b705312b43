import { INVITATION_STATUSES } from '@affiliate/core/browser';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { labelOf, optionsOf } from '../components/labels.ts';
import { Moment } from '../components/moment.tsx';
import { notify, notifyFailure } from '../components/notices.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { PagedTable } from '../components/paged-table.tsx';
import type { Column } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { useMay } from '../session/session.tsx';
import { t as mails } from '../texts/mails.ts';
import { t } from '../texts/members.ts';

type Invitation = Outputs['invitations']['list']['data'][number];

const COLUMNS: Column<Invitation>[] = [
  {
    header: t.email,
    cell: ({ email, email_problem: problem }) => (
      <>
        {email}
        {problem !== null && (
          <Text size="sm" c="var(--mantine-color-error)">
            {mails[problem]}
          </Text>
        )}
      </>
    ),
  },
  { header: t.invitedAs, cell: ({ kind, role }) => labelOf((kind === 'member' ? role : null) ?? kind) },
  { header: t.status, cell: (invitation) => <StateBadge state={statusOf(invitation)} /> },
  { header: t.expires, cell: ({ status, expires_at }) => <Moment at={status === 'pending' ? expires_at : null} /> },
  { header: t.sent, cell: ({ resent_at, created_at }) => <Moment at={resent_at ?? created_at} /> },
];
const ACTIONS: Column<Invitation> = {
  header: t.actions,
  cell: (invitation) => invitation.status === 'pending' && <PendingActions invitation={invitation} />,
};

function statusOf({ status, expires_at }: Invitation): string {
  return status === 'pending' && Date.parse(expires_at) <= Date.now() ? 'expired' : status;
}

export function InvitationList() {
  const may = useMay();
  const page = usePageNumber();
  const status = useChoice('status', INVITATION_STATUSES);
  const invitations = useQuery(trpc.invitations.list.queryOptions({ page, status }));
  const columns = may('invitations') ? [...COLUMNS, ACTIONS] : COLUMNS;
  return (
    <Stack>
      <Group>
        <Filter label={t.status} name="status" all={t.all} options={optionsOf(INVITATION_STATUSES)} />
      </Group>
      <PagedTable
        query={invitations}
        caption={t.invitations}
        columns={columns}
        empty={
          <EmptyState picture="members" title={t.noInvitations}>
            {t.noInvitationsHint}
          </EmptyState>
        }
      />
    </Stack>
  );
}

function PendingActions({ invitation: { id, email } }: { invitation: Invitation }) {
  const resend = useMutation(
    trpc.invitations.resend.mutationOptions({
      onSuccess: () => notify(t.invitationResent({ email })),
      onError: notifyFailure,
    }),
  );
  const revoke = useMutation(trpc.invitations.update.mutationOptions());
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        loading={resend.isPending}
        aria-label={t.resendOf({ email })}
        onClick={() => resend.mutate({ id })}
      >
        {t.resend}
      </Button>
      <ConfirmedButton
        action={t.revoke}
        subject={email}
        consequence={t.revokeConsequence}
        dangerous
        mutation={revoke}
        run={() => revoke.mutateAsync({ id, invitation_action: 'revoke' })}
      />
    </Group>
  );
}
