import { Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, trpc } from '../api/client.ts';
import { ActionLink } from '../components/action-link.tsx';
import { AffiliateLink, nameOf } from '../components/affiliate-link.tsx';
import { RowActions, RowButton, RowCheckbox } from '../components/cells.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Failure } from '../components/failure.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { notify } from '../components/notices.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Sections } from '../lists/sections.tsx';
import { useMay } from '../session/session.tsx';
import { t as affiliates } from '../texts/affiliates.ts';
import { t } from '../texts/applications.ts';
import { Answers } from './application-panel.tsx';

type Application = Outputs['applications']['list']['data'][number];

/** Shows the applicants who are waiting for the merchant's decision. The merchant can decide on several applicants at once. */
export function ApplicationsPage() {
  const page = usePageNumber();
  const applications = useQuery(trpc.applications.list.queryOptions({ page }));
  return (
    <Page title={t.applications} description={t.description}>
      <Sections of="affiliates" />
      <Loaded query={applications}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState
              picture="affiliates"
              title={t.none}
              action={<ActionLink to="/affiliates">{affiliates.affiliates}</ActionLink>}
            >
              {t.noneExplained}
            </EmptyState>
          ) : (
            <Stack>
              <Decision applications={data} />
              <Paging pagination={pagination} />
            </Stack>
          )
        }
      </Loaded>
    </Page>
  );
}

function Decision({ applications }: { applications: Application[] }) {
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const [note, setNote] = useState('');
  const decide = useMutation(
    trpc.applications.decide.mutationOptions({
      onSuccess: ({ decided }, { decision }) => {
        choose(new Set());
        setNote('');
        notify(decision === 'approve' ? t.approved(decided.length) : t.rejected(decided.length));
      },
    }),
  );
  const mayDecide = useMay()('affiliates');
  const choice: Column<Application> = {
    header: t.choose,
    cell: (application) => (
      <RowCheckbox
        label={t.chooseOne({ name: nameOf(application) })}
        checked={chosen.has(application.affiliate_id)}
        onChange={() => choose(chosen.symmetricDifference(new Set([application.affiliate_id])))}
      />
    ),
  };
  const shown: Column<Application>[] = [
    {
      header: t.applicant,
      cell: (application) => <AffiliateLink id={application.affiliate_id} affiliate={application} />,
    },
    { header: t.campaign, cell: ({ campaign_name }) => campaign_name },
    { header: t.answers, cell: ({ answers }) => <Answers answers={answers} /> },
    { header: t.applied, cell: ({ applied_at }) => <Moment at={applied_at} /> },
  ];
  const actions: Column<Application> = {
    header: t.actions,
    cell: (application) => (
      <RowActions>
        {(['approve', 'reject'] as const).map((decision) => (
          <RowButton
            key={decision}
            action={decision === 'approve' ? t.approve : t.reject}
            label={(decision === 'approve' ? t.approveOne : t.rejectOne)({ name: nameOf(application) })}
            {...(decision === 'approve' ? { look: 'primary' as const } : {})}
            isBusy={decide.isPending}
            onClick={() => run(decision, [application.affiliate_id])}
          />
        ))}
      </RowActions>
    ),
  };
  // Leaves out applicants who are no longer listed because somebody else has decided on them.
  const affiliate_ids = applications.map(({ affiliate_id }) => affiliate_id).filter((id) => chosen.has(id));
  const run = (decision: 'approve' | 'reject', ids: string[]) =>
    decide.mutate({ affiliate_ids: ids, decision, ...(note.trim() === '' ? {} : { note: note.trim() }) });
  if (!mayDecide)
    return (
      <RecordTable caption={t.applications} columns={shown} rows={applications} keyOf={({ affiliate_id }) => affiliate_id} />
    );
  return (
    <>
      <Checkbox
        label={t.chooseAll}
        checked={affiliate_ids.length === applications.length}
        indeterminate={affiliate_ids.length > 0 && affiliate_ids.length < applications.length}
        onChange={(event) =>
          choose(new Set(event.currentTarget.checked ? applications.map(({ affiliate_id }) => affiliate_id) : []))
        }
      />
      <RecordTable
        caption={t.applications}
        columns={[choice, ...shown, actions]}
        rows={applications}
        keyOf={({ affiliate_id }) => affiliate_id}
      />
      <Textarea
        label={t.note}
        description={t.noteExplained}
        maw={640}
        autosize
        minRows={2}
        maxLength={1_000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {decide.isError && <Failure error={decide.error} />}
      <Group>
        <Button disabled={affiliate_ids.length === 0} loading={decide.isPending} onClick={() => run('approve', affiliate_ids)}>
          {t.approveChosen}
        </Button>
        <Button
          variant="default"
          disabled={affiliate_ids.length === 0}
          loading={decide.isPending}
          onClick={() => run('reject', affiliate_ids)}
        >
          {t.rejectChosen}
        </Button>
        <Text size="sm" c="dimmed">
          {t.chosen({ chosen: affiliate_ids.length, all: applications.length })}
        </Text>
      </Group>
    </>
  );
}
