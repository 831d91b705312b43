import { SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CampaignSelect } from '../components/campaign-select.tsx';
import { t } from '../texts/affiliates.ts';

export interface AffiliateValues {
  email: string;
  first_name: string;
  last_name: string;
  /** An empty string means the default campaign. */
  campaign_id: string;
  walleta_email: string;
  walletb_email: string;
  external_id: string;
}

/** Fields of the forms that create and edit an affiliate. The state has its own control. */
export function AffiliateFields({
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
export function personOf({ email, campaign_id: _, ...texts }: AffiliateValues) {
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  return {
    email: email.trim(),
    first_name: orNull(texts.first_name),
    last_name: orNull(texts.last_name),
    walleta_email: orNull(texts.walleta_email),
    walletb_email: orNull(texts.walletb_email),
    external_id: orNull(texts.external_id),
  };
}
