import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { notify } from '../components/notices.tsx';
import { Panel } from '../components/panel.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/profile.ts';

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
