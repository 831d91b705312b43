import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import type { Run } from './run.ts';

/** What kept items from being paid, and what to do about it. */
export function RunIssues({ run, mayPay }: { run: Run; mayPay: boolean }) {
  return (
    <section aria-labelledby="issues">
      <Title order={2} size="h4" id="issues" mb="sm">
        Issues
      </Title>
      <Stack gap="sm">
        {run.issues.map(({ code, items_count }) => (
          <Paper key={code} withBorder p="md" radius="md">
            <Group justify="space-between">
              <Text>
                {items_count === 1 ? '1 payout' : `${items_count.toLocaleString()} payouts`}: {code.replaceAll('_', ' ')}
              </Text>
              {mayPay && <IssueActions runId={run.id} selection={{ issue_code: code }} subject={code.replaceAll('_', ' ')} />}
            </Group>
          </Paper>
        ))}
      </Stack>
    </section>
  );
}

interface IssueActionsProps {
  runId: string;
  /** Which failed items are meant. */
  selection: { issue_code: Run['issues'][number]['code'] } | { payout_ids: string[] };
  subject: string;
}

/** What can be done about failed items. */
export function IssueActions({ runId, selection, subject }: IssueActionsProps) {
  const retry = useMutation(trpc.payoutRuns.remediate.mutationOptions());
  const exclude = useMutation(trpc.payoutRuns.remediate.mutationOptions());
  return (
    <Group gap="xs">
      <ConfirmedButton
        action="Retry"
        subject={subject}
        consequence="They are claimed and checked again; those that pass now are recorded as paid."
        mutation={retry}
        run={() => retry.mutateAsync({ id: runId, remediation_action: 'retry', ...selection })}
      />
      <ConfirmedButton
        action="Exclude"
        subject={subject}
        consequence="They are dropped from this run. Their payouts are open and can be paid otherwise."
        mutation={exclude}
        run={() => exclude.mutateAsync({ id: runId, remediation_action: 'exclude', ...selection })}
      />
    </Group>
  );
}
