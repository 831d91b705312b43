import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { Effect, type RewardChange } from '../rewards/effect.tsx';
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
  const base = changedBase(campaign, termsOf(form.getValues()));
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
      {base !== null && <Effect campaignId={campaign.id} change={{ base }} nameOf={() => null} />}
    </FormDialog>
  );
}

/** Returns the base reward of the form, or null if it is that of the campaign or incomplete. */
function changedBase(campaign: Campaign, terms: ReturnType<typeof termsOf>): NonNullable<RewardChange['base']> | null {
  const { reward_type } = terms;
  const isOfSameType = reward_type === campaign.reward_type;
  if ('commission_percent' in terms) {
    const { commission_percent: percent } = terms;
    if (percent === null || Number.isNaN(percent) || (isOfSameType && percent === campaign.commission_percent)) return null;
    return { reward_type, commission_percent: percent };
  }
  const { commission_amount_cents: cents, commission_amount_currency: currency } = terms;
  const isSame = cents === campaign.commission_amount_cents && currency === campaign.commission_amount_currency;
  if (cents === null || (isOfSameType && isSame)) return null;
  return { reward_type, commission_amount_cents: cents, commission_amount_currency: currency };
}
