import { PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { auth } from '../api/auth.ts';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { NewPasswordInput } from '../components/new-password-input.tsx';
import { notify } from '../components/notices.tsx';
import { Page } from '../components/page.tsx';
import { Panel } from '../components/panel.tsx';
import { Panels } from '../components/panels.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/profile.ts';
import { AssistantsPanel } from './assistants-panel.tsx';
import { LanguageSelect } from './language-select.tsx';
import { MailsPanel } from './mails-panel.tsx';
import { ProgramsPanel } from './programs-panel.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

/** Shows the settings of the signed-in person. */
export function ProfilePage() {
  const { user } = useMember();
  const queryClient = useQueryClient();
  return (
    <Page title={t.profile} description={user.email}>
      <Panels>
        <NamePanel />
        <LanguagePanel />
        <PasswordPanel />
        <SecondFactorPanel onChange={() => void queryClient.invalidateQueries({ queryKey: trpc.session.get.queryKey() })} />
        <MailsPanel />
        <AssistantsPanel />
        <ProgramsPanel />
        <SessionsPanel />
      </Panels>
    </Page>
  );
}

function LanguagePanel() {
  return (
    <Panel title={t.language}>
      <LanguageSelect />
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

export function NamePanel() {
  const { user } = useMember();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name: user.name } });
  const update = useMutation(
    trpc.profile.update.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: () => {
        notify(t.nameChanged);
        void queryClient.invalidateQueries({ queryKey: trpc.session.get.queryKey() });
      },
    }),
  );
  return (
    <Panel title={t.name}>
      <form onSubmit={form.onSubmit((values) => update.mutate(values))}>
        <Stack>
          <TextInput
            label={t.yourName}
            description={t.nameHint}
            autoComplete="name"
            required
            withAsterisk={false}
            maxLength={200}
            {...form.getInputProps('name')}
          />
          <SaveRow save={update} />
        </Stack>
      </form>
    </Panel>
  );
}
