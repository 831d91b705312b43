import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Failure } from '../components/failure.tsx';
import { t } from '../texts/portal-pages.ts';
import { SignInAgain } from './sign-in-again.tsx';

type Change = Outputs['portal']['getProfile']['email_change'];

/** Requests a change of the email address or, while a change is waiting, shows who still has to confirm it. */
export function ChangeEmail({ change }: { change: Change }) {
  return (
    <>
      {change === null && <RequestForm />}
      {/* Rendered before it has a text, because screen readers announce only changes. */}
      <div role="status">{change !== null && <Waiting change={change} />}</div>
    </>
  );
}

function RequestForm() {
  const form = useForm({ initialValues: { new_email: '' } });
  const request = useMutation(trpc.portal.requestEmailChange.mutationOptions({ onError: showFieldErrors(form) }));
  return (
    <form aria-label={t.changeEmail} onSubmit={form.onSubmit(({ new_email }) => request.mutate({ new_email: new_email.trim() }))}>
      <Stack maw={400}>
        <TextInput
          label={t.newEmail}
          description={t.newEmailExplained}
          type="email"
          autoComplete="email"
          required
          withAsterisk={false}
          {...form.getInputProps('new_email')}
        />
        {request.isError && <SignInAgain error={request.error} />}
        <Group>
          <Button type="submit" variant="default" loading={request.isPending}>
            {t.changeEmail}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Waiting({ change: { new_email, present_agreed, new_agreed } }: { change: NonNullable<Change> }) {
  const cancel = useMutation(trpc.portal.cancelEmailChange.mutationOptions());
  return (
    <Alert color="yellow" role="none" title={t.emailChangeWaits({ email: new_email })}>
      <Stack gap="xs">
        {!present_agreed && <Text size="sm">{t.presentMustAgree}</Text>}
        {!new_agreed && <Text size="sm">{t.newMustAgree}</Text>}
        {cancel.isError && <Failure error={cancel.error} />}
        <Group>
          <Button variant="default" size="compact-sm" loading={cancel.isPending} onClick={() => cancel.mutate({})}>
            {t.cancelEmailChange}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
