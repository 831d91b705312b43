import { Button, Group, NativeSelect, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { auth } from '../api/auth.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Failure } from '../components/failure.tsx';
import { NewPasswordInput } from '../components/new-password-input.tsx';
import { notify } from '../components/notices.tsx';
import { Page } from '../components/page.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/en/profile.ts';
import { LANGUAGES, type Language, chooseLanguage, chosenLanguage } from '../texts/language.ts';

/** What belongs to the person, not to the account. */
export function ProfilePage() {
  const { user } = useMember();
  return (
    <Page title={t.profile} description={user.email}>
      <Stack maw={560}>
        <LanguagePanel />
        <PasswordPanel />
        <SessionsPanel />
      </Stack>
    </Page>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Paper component="section" withBorder p="lg" radius="md" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

function LanguagePanel() {
  return (
    <Panel title={t.language}>
      <NativeSelect
        label={t.languageOfPages}
        description={t.languageHint}
        value={chosenLanguage() ?? ''}
        onChange={({ currentTarget: { value } }) => chooseLanguage(value === '' ? null : (value as Language))}
        data={[{ value: '', label: t.asInBrowser }, ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))]}
      />
    </Panel>
  );
}

const EMPTY = { currentPassword: '', newPassword: '' };

function PasswordPanel() {
  const form = useForm({ initialValues: EMPTY });
  const change = useMutation({
    mutationFn: auth.changePassword,
    onError: showFieldErrors(form),
    onSuccess: () => {
      form.setValues(EMPTY);
      notify(t.passwordChanged);
    },
  });
  return (
    <Panel title={t.password}>
      <form onSubmit={form.onSubmit((passwords) => change.mutate(passwords))}>
        <Stack>
          <PasswordInput
            label={t.currentPassword}
            autoComplete="current-password"
            required
            withAsterisk={false}
            {...form.getInputProps('currentPassword')}
          />
          <NewPasswordInput label={t.newPassword} description={t.passwordHint} {...form.getInputProps('newPassword')} />
          <SaveRow save={change} />
        </Stack>
      </form>
    </Panel>
  );
}

function SessionsPanel() {
  const end = useMutation({ mutationFn: auth.signOutElsewhere, onSuccess: () => notify(t.signedOutElsewhere) });
  return (
    <Panel title={t.sessions}>
      <Stack>
        <Text size="sm">{t.sessionsHint}</Text>
        {end.isError && <Failure error={end.error} />}
        <Group>
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
            {t.signOutElsewhere}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
