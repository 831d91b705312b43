import { Code, Group, NativeSelect, Paper, Select, Stack, Text, TextInput, Alert } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { currencyChoices } from '../components/currencies.ts';
import { notify } from '../components/notices.tsx';
import { Page } from '../components/page.tsx';
import { Panels } from '../components/panels.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/account.ts';
import { LANGUAGES } from '../texts/language.ts';
import { RequireSecondFactorPanel } from './require-second-factor.tsx';
import { timeZoneChoices } from './time-zones.ts';

export function AccountPage() {
  const { account, role } = useMember();
  return (
    <Page title={t.account} description={t.description}>
      <VersionNotice />
      <Panels>
        <Paper withBorder p="lg" radius="md">
          <Stack>
            <AccountId id={account.id} />
            <AccountForm />
          </Stack>
        </Paper>
        {role === 'owner' && <RequireSecondFactorPanel />}
      </Panels>
    </Page>
  );
}

/** Shows the account's id, which API requests use to name the account. */
function AccountId({ id }: { id: string }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {t.accountId}
      </Text>
      <Text size="sm" c="dimmed">
        {t.accountIdHint}
      </Text>
      <Group gap="sm">
        <Code>{id}</Code>
        <CopyButton value={id} size="compact-sm" label={t.copyAccountId} />
      </Group>
    </div>
  );
}

function AccountForm() {
  const { account } = useMember();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: {
      name: account.name,
      currency: account.currency,
      time_zone: account.time_zone,
      mail_language: account.mail_language,
    },
  });
  const update = useMutation(
    trpc.account.update.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: (updated) => {
        queryClient.setQueryData(
          trpc.session.get.queryKey(),
          (session) =>
            session && { ...session, accounts: session.accounts.map((each) => (each.id === updated.id ? updated : each)) },
        );
        notify(t.accountUpdated);
      },
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => update.mutate({ account_id: account.id, ...values }))}>
      <Stack>
        <TextInput label={t.name} description={t.nameHint} required maxLength={200} {...form.getInputProps('name')} />
        <NativeSelect
          label={t.defaultCurrency}
          description={t.currencyHint}
          data={currencyChoices()}
          {...form.getInputProps('currency')}
        />
        <Select
          label={t.timeZone}
          description={t.timeZoneHint}
          data={timeZoneChoices(account.time_zone)}
          allowDeselect={false}
          searchable
          {...form.getInputProps('time_zone')}
        />
        <NativeSelect
          label={t.mailLanguage}
          description={t.mailLanguageHint}
          data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('mail_language')}
        />
        <SaveRow save={update} />
      </Stack>
    </form>
  );
}

/** Shows the build that runs, and that there is a newer version of the service if the installation has found one. */
export function VersionNotice() {
  const { data } = useQuery(trpc.installation.get.queryOptions());
  if (!data?.version) return null;
  if (!data.newer_version)
    return (
      <Text size="sm" c="dimmed">
        {t.runningVersion({ version: data.version })}
      </Text>
    );
  return (
    <Alert title={t.versionIsAvailable({ newerVersion: data.newer_version })} maw={560}>
      {t.newerVersion({ version: data.version })}
    </Alert>
  );
}
