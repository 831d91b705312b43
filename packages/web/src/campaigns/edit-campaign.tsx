import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/campaigns.ts';
import { CampaignFields, newCampaign, termsOf, useCampaignForm, valuesOf } from './campaign-form.tsx';
import type { Campaign } from './campaign.ts';

export function CreateCampaign({ isFirst, onClose }: { isFirst: boolean; onClose: () => void }) {
  const { account } = useMember();
  const form = useCampaignForm(newCampaign(account.currency, isFirst));
  const create = useMutation(trpc.campaigns.create.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  return (
    <FormDialog
      title={t.addCampaign}
      submit={t.add}
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => create.mutate(termsOf(values)))}
    >
      <CampaignFields form={form} />
    </FormDialog>
  );
}

export function EditCampaign({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const form = useCampaignForm(valuesOf(campaign));
  const update = useMutation(trpc.campaigns.update.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  return (
    <FormDialog
      title={t.editNamed({ name: campaign.name })}
      submit={t.save}
      progress={update}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => update.mutate({ id: campaign.id, ...termsOf(values) }))}
    >
      <CampaignFields form={form} />
    </FormDialog>
  );
}
