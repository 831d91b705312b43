import { decimalAmount, parseDecimalAmount } from '@affiliate/core/browser';
import { Checkbox, Group, NativeSelect, Radio, SimpleGrid, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { currencyChoices } from '../components/currencies.ts';
import { webAddress } from '../components/web-address.ts';
import { t } from '../texts/campaigns.ts';
import type { Campaign } from './campaign.ts';

/** Form values, as text. The fields have the API's names, so that the API's errors appear at the right fields. */
export interface CampaignValues {
  name: string;
  url: string;
  reward_type: Campaign['reward_type'];
  commission_percent: string;
  commission_amount_cents: string;
  commission_amount_currency: string;
  minimum_payout_cents: string;
  minimum_payout_currency: string;
  days_until_commissions_are_due: string;
  days_before_referrals_expire: string;
  max_commissions: string;
  max_commission_period_months: string;
  params: string;
  psp_coupon_id: string;
  default: boolean;
  private: boolean;
}

/** Returns the values of a new campaign. The first one is the default campaign, because affiliates without a campaign get the default. */
export function newCampaign(currency: string, isFirst: boolean): CampaignValues {
  return {
    name: '',
    url: '',
    reward_type: 'percent',
    commission_percent: '',
    commission_amount_cents: '',
    commission_amount_currency: currency,
    minimum_payout_cents: '0',
    minimum_payout_currency: currency,
    days_until_commissions_are_due: '30',
    days_before_referrals_expire: '60',
    max_commissions: '',
    max_commission_period_months: '',
    params: '',
    psp_coupon_id: '',
    default: isFirst,
    private: false,
  };
}

export function valuesOf(campaign: Campaign): CampaignValues {
  const { commission_amount_cents: amount, minimum_payout_cents: minimum, minimum_payout_currency } = campaign;
  const commission_amount_currency = campaign.commission_amount_currency ?? minimum_payout_currency;
  return {
    name: campaign.name,
    url: campaign.url,
    reward_type: campaign.reward_type,
    commission_percent: textOf(campaign.commission_percent),
    commission_amount_cents: amount === null ? '' : decimalAmount(amount, commission_amount_currency),
    commission_amount_currency,
    minimum_payout_cents: decimalAmount(minimum, minimum_payout_currency),
    minimum_payout_currency,
    days_until_commissions_are_due: textOf(campaign.days_until_commissions_are_due),
    days_before_referrals_expire: textOf(campaign.days_before_referrals_expire),
    max_commissions: textOf(campaign.max_commissions),
    max_commission_period_months: textOf(campaign.max_commission_period_months),
    params: campaign.params.join(' '),
    psp_coupon_id: campaign.psp_coupon_id ?? '',
    default: campaign.default,
    private: campaign.private,
  };
}

function textOf(value: number | null): string {
  return value === null ? '' : String(value);
}

/**
 * Creates the form. Validates amounts, because the service receives them as numbers and never sees the typed text. The service validates
 * all other fields.
 */
export function useCampaignForm(initialValues: CampaignValues): UseFormReturnType<CampaignValues> {
  return useForm({
    initialValues,
    validate: {
      commission_amount_cents: (text, { reward_type, commission_amount_currency }) =>
        reward_type === 'fixed' ? validateAmount(text, commission_amount_currency) : null,
      minimum_payout_cents: (text, { minimum_payout_currency }) => validateAmount(text, minimum_payout_currency),
    },
  });
}

function validateAmount(text: string, currency: string): string | null {
  return parseDecimalAmount(text, currency) === null ? t.enterAmount({ currency, value: decimalAmount(1_250, currency) }) : null;
}

/** Converts the form values to input for the service. Only the chosen commission type is sent, which clears the other one. */
export function termsOf(values: CampaignValues) {
  const { name, url, reward_type, commission_amount_currency, minimum_payout_currency, psp_coupon_id } = values;
  return {
    name,
    url: webAddress(url),
    reward_type,
    ...(reward_type === 'percent'
      ? { commission_percent: numberOf(values.commission_percent) }
      : {
          commission_amount_cents: parseDecimalAmount(values.commission_amount_cents, commission_amount_currency),
          commission_amount_currency,
        }),
    minimum_payout_cents: parseDecimalAmount(values.minimum_payout_cents, minimum_payout_currency) ?? 0,
    minimum_payout_currency,
    days_until_commissions_are_due: numberOf(values.days_until_commissions_are_due) ?? Number.NaN,
    days_before_referrals_expire: numberOf(values.days_before_referrals_expire) ?? Number.NaN,
    max_commissions: numberOf(values.max_commissions),
    max_commission_period_months: numberOf(values.max_commission_period_months),
    params: values.params.match(/\S+/g) ?? [],
    psp_coupon_id: psp_coupon_id.trim() === '' ? null : psp_coupon_id.trim(),
    default: values.default,
    private: values.private,
  };
}

/** Parses a number. Returns null for empty text, and NaN, which the service rejects, for text that is not a number. */
function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text.replace(',', '.'));
}

/** Fields of the forms that create and edit a campaign. The texts for affiliates are set through the API. */
export function CampaignFields({ form }: { form: UseFormReturnType<CampaignValues> }) {
  return (
    <>
      <TextInput
        label={t.name}
        description={t.shownToAffiliates}
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label={t.landingPage}
        description={t.urlHint}
        required
        inputMode="url"
        placeholder="https://shop.example.com"
        {...form.getInputProps('url')}
      />
      <RewardFields form={form} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t.minimumPayout} inputMode="decimal" required {...form.getInputProps('minimum_payout_cents')} />
        <NativeSelect
          label={t.minimumPayoutCurrency}
          data={currencyChoices()}
          {...form.getInputProps('minimum_payout_currency')}
        />
        <DaysInput label={t.holdingPeriodDays} form={form} name="days_until_commissions_are_due" />
        <DaysInput label={t.attributionWindowDays} form={form} name="days_before_referrals_expire" />
        <TextInput
          label={t.maximumCommissionsPerReferral}
          description={t.noLimitHint}
          inputMode="numeric"
          {...form.getInputProps('max_commissions')}
        />
        <TextInput
          label={t.recurringForMonths}
          description={t.noLimitHint}
          inputMode="numeric"
          {...form.getInputProps('max_commission_period_months')}
        />
      </SimpleGrid>
      <TextInput
        label={t.otherParameters}
        description={t.otherParametersHint}
        placeholder="ref"
        {...form.getInputProps('params')}
      />
      <TextInput label={t.stripeCouponId} description={t.couponHint} maxLength={255} {...form.getInputProps('psp_coupon_id')} />
      <Group>
        <Checkbox
          label={t.defaultCampaign}
          description={t.defaultHint}
          {...form.getInputProps('default', { type: 'checkbox' })}
        />
        <Checkbox label={t.private} description={t.privateHint} {...form.getInputProps('private', { type: 'checkbox' })} />
      </Group>
    </>
  );
}

function RewardFields({ form }: { form: UseFormReturnType<CampaignValues> }) {
  return (
    <>
      <Radio.Group label={t.commission} {...form.getInputProps('reward_type')}>
        <Group mt="xs">
          <Radio value="percent" label={t.percentage} />
          <Radio value="fixed" label={t.fixedAmount} />
        </Group>
      </Radio.Group>
      {form.values.reward_type === 'percent' ? (
        <TextInput label={t.percentOfSale} inputMode="decimal" required {...form.getInputProps('commission_percent')} />
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t.amount} inputMode="decimal" required {...form.getInputProps('commission_amount_cents')} />
          <NativeSelect
            label={t.commissionCurrency}
            data={currencyChoices()}
            {...form.getInputProps('commission_amount_currency')}
          />
        </SimpleGrid>
      )}
    </>
  );
}

interface DaysInputProps {
  label: string;
  form: UseFormReturnType<CampaignValues>;
  name: 'days_until_commissions_are_due' | 'days_before_referrals_expire';
}

function DaysInput({ label, form, name }: DaysInputProps) {
  return <TextInput label={label} inputMode="numeric" required {...form.getInputProps(name)} />;
}
