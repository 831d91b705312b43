import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { webAddress } from '../components/web-address.ts';
import { t } from '../texts/affiliates.ts';
import type { Affiliate } from './affiliate.ts';

/** Creates a link for the affiliate's campaign. */
export function CreateLink({ affiliate, onClose }: { affiliate: Affiliate; onClose: () => void }) {
  const form = useForm({ initialValues: { url: affiliate.campaign?.url ?? '', token: '' } });
  const create = useMutation(trpc.links.create.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  return (
    <FormDialog
      title={t.addLink}
      submit={t.add}
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit(({ url, token }) =>
        create.mutate({
          affiliate_id: affiliate.id,
          campaign_id: affiliate.campaign_id,
          url: webAddress(url),
          ...(token.trim() === '' ? {} : { token: token.trim() }),
        }),
      )}
    >
      <TextInput
        label={t.destination}
        description={t.linkUrlHint}
        required
        inputMode="url"
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput label={t.linkCode} description={t.tokenHint} maxLength={64} {...form.getInputProps('token')} />
    </FormDialog>
  );
}
