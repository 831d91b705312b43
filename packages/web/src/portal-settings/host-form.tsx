import { Alert, Button, Code, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { notify } from '../components/notices.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { t } from '../texts/portal-settings.ts';

type PortalHost = Outputs['portalSettings']['get']['portal_host'];

const FAILURES: Record<NonNullable<NonNullable<PortalHost>['failure']>, string> = {
  unreachable: t.hostUnreachable,
  refused: t.hostRefused,
  wrong_answer: t.hostWrongAnswer,
  no_record: t.hostNoRecord,
  taken: t.hostTaken,
};

/** Edits the merchant's own host name for the portal, and shows whether it points to this service. */
export function HostForm({ portalHost }: { portalHost: PortalHost }) {
  const form = useForm({ initialValues: { portal_host: portalHost?.host ?? '' } });
  const update = useMutation(
    trpc.portalSettings.update.mutationOptions({ onError: showFieldErrors(form), onSuccess: () => notify(t.hostSaved) }),
  );
  return (
    <Stack>
      <Text size="sm">
        <Filled text={t.hostExplained} values={{ service: <Code>{window.location.hostname}</Code> }} />
      </Text>
      {portalHost !== null && <HostState portalHost={portalHost} />}
      <form onSubmit={form.onSubmit(({ portal_host }) => update.mutate({ portal_host: portal_host.trim() || null }))}>
        <Stack>
          <TextInput label={t.host} description={t.hostExample} maxLength={253} {...form.getInputProps('portal_host')} />
          <SaveRow save={update} />
        </Stack>
      </form>
    </Stack>
  );
}

function HostState({
  portalHost: { host, verified_at, failure, failing_since, record },
}: {
  portalHost: NonNullable<PortalHost>;
}) {
  const check = useMutation(trpc.portalSettings.checkHost.mutationOptions({ onSuccess: () => notify(t.hostCheckSoon) }));
  return (
    <Alert color={failure === null ? (verified_at === null ? 'blue' : 'green') : 'yellow'} role="status">
      <Stack gap="xs">
        <Text size="sm">{(verified_at === null ? t.hostWaits : t.hostWorks)({ host })}</Text>
        {failure !== null && (
          <Text size="sm">
            {FAILURES[failure]} <Filled text={t.hostFailsSince} values={{ at: <Moment at={failing_since} /> }} />
          </Text>
        )}
        {(verified_at === null || failure !== null) && (
          <Text size="sm">
            <Filled text={t.hostRecord} values={{ name: <Code>{record.name}</Code>, value: <Code>{record.value}</Code> }} />
          </Text>
        )}
        {check.isError && <Failure error={check.error} />}
        <Button variant="default" size="compact-sm" w="fit-content" loading={check.isPending} onClick={() => check.mutate()}>
          {t.hostCheckNow}
        </Button>
      </Stack>
    </Alert>
  );
}
