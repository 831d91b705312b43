import { Checkbox, SimpleGrid, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { CampaignSelect } from '../components/campaign-select.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/affiliates.ts';
import type { Affiliate } from './affiliate.ts';

/** Texts of an affiliate that may be empty. */
const TEXTS = ['first_name', 'last_name', 'walleta_email', 'walletb_email', 'external_id'] as const;

/** An empty `campaign_id` means the default campaign. */
type AffiliateValues = Record<'email' | 'campaign_id' | (typeof TEXTS)[number], string>;

/** Returns the values of a form, which are empty for a new affiliate. */
function valuesOf(affiliate?: Affiliate): AffiliateValues {
  const { email = '', campaign_id = '' } = affiliate ?? {};
  return { email, campaign_id, ...eachText((name) => affiliate?.[name] ?? '') };
}

/** Fields of the forms that create and edit an affiliate. The state has its own control. */
function AffiliateFields({
  form,
  defaultCampaign,
  mayRedirect = true,
}: {
  form: UseFormReturnType<AffiliateValues>;
  defaultCampaign: boolean;
  /** True if the member may change the payout addresses of the affiliate. */
  mayRedirect?: boolean;
}) {
  return (
    <>
      <TextInput label={t.email} type="email" required data-autofocus {...form.getInputProps('email')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t.firstName} maxLength={100} {...form.getInputProps('first_name')} />
        <TextInput label={t.lastName} maxLength={100} {...form.getInputProps('last_name')} />
      </SimpleGrid>
      <CampaignSelect mayBeDefault={defaultCampaign} {...form.getInputProps('campaign_id')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t.paypalEmail}
          description={t.forPayoutsWithPaypal}
          type="email"
          readOnly={!mayRedirect}
          {...form.getInputProps('walleta_email')}
        />
        <TextInput
          label={t.wiseEmail}
          description={t.forPayoutsWithWise}
          type="email"
          readOnly={!mayRedirect}
          {...form.getInputProps('walletb_email')}
        />
      </SimpleGrid>
      <TextInput label={t.externalId} description={t.externalIdIsYours} maxLength={255} {...form.getInputProps('external_id')} />
    </>
  );
}

/** Converts the form values to input for the service. Empty fields become null. */
function personOf({ email, ...texts }: AffiliateValues) {
  return { email: email.trim(), ...eachText((name) => texts[name].trim() || null) };
}

function eachText<Value>(valueOf: (name: (typeof TEXTS)[number]) => Value) {
  return Object.fromEntries(TEXTS.map((name) => [name, valueOf(name)])) as Record<(typeof TEXTS)[number], Value>;
}

export function EditAffiliate({ affiliate, onClose }: { affiliate: Affiliate; onClose: () => void }) {
  const may = useMay();
  const form = useForm({ initialValues: valuesOf(affiliate) });
  const [movesLinks, setMovesLinks] = useState(true);
  const update = useMutation(trpc.affiliates.update.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  return (
    <FormDialog
      title={t.editOf({ affiliate: nameOf(affiliate) })}
      submit={t.save}
      progress={update}
      onClose={onClose}
      onSubmit={form.onSubmit((values) =>
        update.mutate({ id: affiliate.id, campaign_id: values.campaign_id, move_links: movesLinks, ...personOf(values) }),
      )}
    >
      <AffiliateFields form={form} defaultCampaign={false} mayRedirect={may('payouts')} />
      {form.values.campaign_id !== affiliate.campaign_id && (
        <Checkbox
          label={t.moveLinksAndCodes}
          description={t.referralsStay}
          checked={movesLinks}
          onChange={(event) => setMovesLinks(event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}

/** Creates an affiliate and opens their page. */
export function CreateAffiliate({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm({ initialValues: valuesOf() });
  const [approved, setApproved] = useState(true);
  const create = useMutation(
    trpc.affiliates.create.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: ({ id }) => navigate(`/affiliates/${id}`),
    }),
  );
  return (
    <FormDialog
      title={t.addAffiliate}
      submit={t.add}
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit((values) =>
        create.mutate({
          ...personOf(values),
          ...(values.campaign_id === '' ? {} : { campaign_id: values.campaign_id }),
          state: approved ? 'active' : 'pending',
        }),
      )}
    >
      <AffiliateFields form={form} defaultCampaign />
      <Checkbox
        label={t.approveImmediately}
        description={t.onlyActiveAffiliatesTrackVisits}
        checked={approved}
        onChange={(event) => setApproved(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
