import { SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CampaignSelect } from '../components/campaign-select.tsx';
import { t } from '../texts/affiliates.ts';
import type { Affiliate } from './affiliate.ts';

/** Texts of an affiliate that may be empty. */
const TEXTS = ['first_name', 'last_name', 'walleta_email', 'walletb_email', 'external_id'] as const;

/** An empty `campaign_id` means the default campaign. */
export type AffiliateValues = Record<'email' | 'campaign_id' | (typeof TEXTS)[number], string>;

/** Returns the values of a form, which are empty for a new affiliate. */
export function valuesOf(affiliate?: Affiliate): AffiliateValues {
  const { email = '', campaign_id = '' } = affiliate ?? {};
  return { email, campaign_id, ...eachText((name) => affiliate?.[name] ?? '') };
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
export function personOf({ email, ...texts }: AffiliateValues) {
  return { email: email.trim(), ...eachText((name) => texts[name].trim() || null) };
}

function eachText<Value>(valueOf: (name: (typeof TEXTS)[number]) => Value) {
  return Object.fromEntries(TEXTS.map((name) => [name, valueOf(name)])) as Record<(typeof TEXTS)[number], Value>;
}
