import { Button, Code, CopyButton, Group, NativeSelect, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { CURRENCY_CHOICES } from '../components/currencies.ts';
import { Page } from '../components/page.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { timeZoneChoices } from './time-zones.ts';
import { VersionNotice } from './version-notice.tsx';
import { useMember } from '../session/session.tsx';
import { notify } from '../components/notices.tsx';

export function AccountPage() {
  const { account } = useMember();
  return (
    <Page title="Account" description="The name, default currency and time zone of this account.">
      <VersionNotice />
      <Paper withBorder p="lg" radius="md" maw={560}>
        <Stack>
          <AccountId id={account.id} />
          <AccountForm />
        </Stack>
      </Paper>
    </Page>
  );
}

/** API requests name the account by this ID. */
function AccountId({ id }: { id: string }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        Account ID
      </Text>
      <Text size="sm" c="dimmed">
        Send it in the X-Account-Id header of every API request.
      </Text>
      <Group gap="sm">
        <Code>{id}</Code>
        <CopyButton value={id}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy} aria-label="Copy account ID" aria-live="polite">
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </div>
  );
}

function AccountForm() {
  const { account } = useMember();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name: account.name, currency: account.currency, time_zone: account.time_zone } });
  const update = useMutation(
    trpc.account.update.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: (session) => {
        queryClient.setQueryData(trpc.session.get.queryKey(), session);
        notify('Account updated.');
      },
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => update.mutate({ account_id: account.id, ...values }))}>
      <Stack>
        <TextInput
          label="Name"
          description="Shown in the application and in invitations."
          required
          maxLength={200}
          {...form.getInputProps('name')}
        />
        <NativeSelect
          label="Default currency"
          description="Used for new amounts. Existing amounts keep their currency."
          data={CURRENCY_CHOICES}
          {...form.getInputProps('currency')}
        />
        <Select
          label="Time zone"
          description="Days of analytics begin at its midnight."
          data={timeZoneChoices(account.time_zone)}
          allowDeselect={false}
          searchable
          {...form.getInputProps('time_zone')}
        />
        <SaveRow save={update} />
      </Stack>
    </form>
  );
}
