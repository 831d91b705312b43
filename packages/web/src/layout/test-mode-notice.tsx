import { liveAccountOf } from '@affiliate/core/browser';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { useMay, useMember } from '../session/session.tsx';
import { t } from '../texts/test-mode.ts';
import { CopyCampaigns } from './copy-campaigns.tsx';

/** Says on every page that it shows test records, and leads back to live mode. Admins move the test clock, copy campaigns from live mode, and delete the test data. */
export function TestModeNotice() {
  const { account } = useMember();
  const may = useMay();
  const leave = useMutation(trpc.session.switchAccount.mutationOptions({ onSuccess: () => window.location.assign('/') }));
  return (
    <Alert color="orange" title={t.testMode} mb="md">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm">{t.nothingIsReal}</Text>
          <Button
            size="compact-sm"
            variant="default"
            loading={leave.isPending || leave.isSuccess}
            onClick={() => leave.mutate({ account_id: liveAccountOf(account.id) })}
          >
            {t.backToLiveMode}
          </Button>
        </Group>
        {leave.isError && <Failure error={leave.error} />}
        {may('api_keys') && <TestControls name={account.name} />}
      </Stack>
    </Alert>
  );
}

const DAYS = 30;

function TestControls({ name }: { name: string }) {
  const clock = useQuery(trpc.testMode.clock.queryOptions());
  const advance = useMutation(trpc.testMode.advanceClock.mutationOptions());
  const [day, setDay] = useState('');
  const remove = useMutation(trpc.testMode.deleteData.mutationOptions());
  return (
    <Group gap="sm">
      <Text size="sm">
        <Filled text={t.clockShows} values={{ time: <Moment at={clock.data?.now ?? null} none="…" /> }} />
      </Text>
      <Button size="compact-sm" variant="default" loading={advance.isPending} onClick={() => advance.mutate({ days: DAYS })}>
        {t.moveForward(DAYS)}
      </Button>
      <TextInput type="date" size="xs" aria-label={t.day} value={day} onChange={(event) => setDay(event.currentTarget.value)} />
      <Button
        size="compact-sm"
        variant="default"
        disabled={day === ''}
        loading={advance.isPending}
        onClick={() => advance.mutate({ to: `${day}T00:00:00.000Z` })}
      >
        {t.moveTo}
      </Button>
      <CopyCampaigns />
      <ConfirmedButton
        action={t.deleteTestData}
        subject={name}
        consequence={t.deleteConsequence}
        mutation={remove}
        dangerous
        run={async () => {
          await remove.mutateAsync({});
          // Assigning the location reloads the page, so that it keeps no deleted data.
          window.location.assign('/');
        }}
      />
      {advance.isError && <Failure error={advance.error} />}
    </Group>
  );
}
