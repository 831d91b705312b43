import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { labelOf } from '../components/labels.ts';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/payouts.ts';
import type { Run } from './run.ts';

/** Shows the issues of failed items, with buttons to resolve them. */
export function RunIssues({ run, mayPay }: { run: Run; mayPay: boolean }) {
  return (
    <section aria-labelledby="issues">
      <Title order={2} size="h4" id="issues" mb="sm">
        {t.issues}
      </Title>
      <Stack gap="sm">
        {run.issues.map(({ code, items_count }) => (
          <Paper key={code} withBorder p="md" radius="md">
            <Group justify="space-between">
              <Text>
                {labelOf(code)}: {counts.payouts(items_count)}
              </Text>
              {mayPay && <IssueActions runId={run.id} selection={{ issue_code: code }} subject={labelOf(code)} />}
            </Group>
          </Paper>
        ))}
      </Stack>
    </section>
  );
}

interface IssueActionsProps {
  runId: string;
  /** Selects the failed items to which the actions apply. */
  selection: { issue_code: Run['issues'][number]['code'] } | { payout_ids: string[] };
  subject: string;
}

/** Buttons to resolve the issues of failed items. */
export function IssueActions({ runId, selection, subject }: IssueActionsProps) {
  const retry = useMutation(trpc.payoutRuns.remediate.mutationOptions());
  const exclude = useMutation(trpc.payoutRuns.remediate.mutationOptions());
  return (
    <Group gap="xs">
      <ConfirmedButton
        action={t.retry}
        subject={subject}
        consequence={t.retryConsequence}
        mutation={retry}
        run={() => retry.mutateAsync({ id: runId, remediation_action: 'retry', ...selection })}
      />
      <ConfirmedButton
        action={t.exclude}
        subject={subject}
        consequence={t.excludeFailedConsequence}
        mutation={exclude}
        run={() => exclude.mutateAsync({ id: runId, remediation_action: 'exclude', ...selection })}
      />
    </Group>
  );
}
