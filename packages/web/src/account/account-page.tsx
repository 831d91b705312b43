import { Button, Code, CopyButton, Group, NativeSelect, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { CURRENCY_CHOICES } from '../components/currencies.ts';
import { Failure } from '../components/failure.tsx';
import { Page } from '../components/page.tsx';
import { useMember } from '../session/session.tsx';

export function AccountPage() {
  const { account } = useMember();
  return (
    <Page title="Account" description="What this account is called, and what it counts in.">
      <Paper withBorder p="lg" radius="md" maw={560}>
        <Stack>
          <AccountId id={account.id} />
          <AccountForm />
        </Stack>
      </Paper>
    </Page>
  );
}

/** Programs name the account by it. */
function AccountId({ id }: { id: string }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        Account id
      </Text>
      <Text size="sm" c="dimmed">
        Every request to the API names it, in the header X-Account-Id.
      </Text>
      <Group gap="sm">
        <Code>{id}</Code>
        <CopyButton value={id}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy} aria-label="Copy: account id" aria-live="polite">
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
  const form = useForm({ initialValues: { name: account.name, currency: account.currency } });
  const update = useMutation(
    trpc.account.update.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: (session) => {
        queryClient.setQueryData(trpc.session.get.queryKey(), session);
        notifications.show({ message: 'The account was changed.' });
      },
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => update.mutate({ account_id: account.id, ...values }))}>
      <Stack>
        <TextInput
          label="Name"
          description="Shown here and in invitations."
          required
          maxLength={200}
          {...form.getInputProps('name')}
        />
        <NativeSelect
          label="Currency"
          description="Of amounts that are given without one from now on. Amounts that are there keep theirs."
          data={CURRENCY_CHOICES}
          {...form.getInputProps('currency')}
        />
        {update.isError && <Failure error={update.error} />}
        <Group>
          <Button type="submit" loading={update.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
