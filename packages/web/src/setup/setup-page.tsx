import { Button, Checkbox, Code, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { OWN_TIME_ZONE, timeZoneChoices } from '../account/time-zones.ts';
import { auth } from '../api/auth.ts';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Card } from '../components/card.tsx';
import { currencyChoices } from '../components/currencies.ts';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { Loading } from '../components/loading.tsx';
import { NewPasswordInput } from '../components/new-password-input.tsx';
import { useMailedToken } from '../session/mailed-token.ts';
import { language } from '../texts/language.ts';
import { t } from '../texts/setup.ts';

/** Creates the first account of an installation. Requires the link that the service printed when it started. */
export function SetupPage() {
  const token = useMailedToken();
  const { mutate, data, error } = useMutation(trpc.setup.open.mutationOptions());
  useEffect(() => {
    if (token !== '') mutate({ token });
  }, [mutate, token]);
  return (
    <Card title={t.setUpYourProgram}>
      {token === '' && (
        <Text>
          <Filled
            text={t.openPrintedLink}
            values={{
              docker: <Code>{'docker compose logs rest'}</Code>,
              unit: <Code>{"journalctl -u 'affiliate-rest@*'"}</Code>,
            }}
          />
        </Text>
      )}
      {error && <Failure error={error} />}
      {error && <Text>{t.newLinkHint}</Text>}
      {token !== '' && !error && !data && <Loading />}
      {data && <SetupForm token={token} sendsMail={data.sends_mail} />}
    </Card>
  );
}

const INITIAL = {
  program_name: '',
  currency: 'USD',
  time_zone: OWN_TIME_ZONE,
  owner_name: '',
  owner_email: '',
  owner_password: '',
  example_data: false,
};

function SetupForm({ token, sendsMail }: { token: string; sendsMail: boolean }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: INITIAL });
  const show = useMutation(trpc.session.switchAccount.mutationOptions());
  const complete = useMutation(
    trpc.setup.complete.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: async ({ account_id }) => {
        const { owner_email: email, owner_password: password } = form.getValues();
        await auth.signIn({ email, password });
        // The owner may also be a member of the example account, so the new account is chosen explicitly.
        await show.mutateAsync({ account_id });
        // Assigning the location reloads the page, so that it shows the new account.
        window.location.assign('/');
      },
    }),
  );
  const test = useMutation(trpc.setup.sendTestMail.mutationOptions());
  const field = (name: keyof typeof INITIAL) => ({ key: form.key(name), ...form.getInputProps(name) });
  return (
    <form onSubmit={form.onSubmit((values) => complete.mutate({ token, ...values }))}>
      <Stack>
        <TextInput label={t.programName} required withAsterisk={false} maxLength={200} {...field('program_name')} />
        <Select label={t.currency} data={currencyChoices()} allowDeselect={false} searchable {...field('currency')} />
        <Select
          label={t.timeZone}
          description={t.timeZoneHint}
          data={timeZoneChoices(OWN_TIME_ZONE)}
          allowDeselect={false}
          searchable
          {...field('time_zone')}
        />
        <TextInput
          label={t.yourName}
          autoComplete="name"
          required
          withAsterisk={false}
          maxLength={200}
          {...field('owner_name')}
        />
        <TextInput label={t.email} type="email" autoComplete="email" required withAsterisk={false} {...field('owner_email')} />
        <NewPasswordInput label={t.password} description={t.passwordHint} {...field('owner_password')} />
        <Group>
          <Button
            variant="default"
            loading={test.isPending}
            onClick={() => test.mutate({ token, email: form.getValues().owner_email, language })}
          >
            {t.sendATestMail}
          </Button>
          {!sendsMail && <Text size="sm">{t.noMailServer}</Text>}
        </Group>
        {test.isError && <Failure error={test.error} />}
        {test.data && (
          <Text role="status" size="sm">
            {test.data.problem === null
              ? sendsMail
                ? t.mailAccepted
                : t.mailInLog
              : t.mailRefused({ problem: test.data.problem })}
          </Text>
        )}
        <Checkbox
          label={t.addExample}
          key={form.key('example_data')}
          {...form.getInputProps('example_data', { type: 'checkbox' })}
        />
        {complete.isError && <Failure error={complete.error} />}
        <Button type="submit" loading={complete.isPending || complete.isSuccess}>
          {t.createTheProgram}
        </Button>
      </Stack>
    </form>
  );
}
