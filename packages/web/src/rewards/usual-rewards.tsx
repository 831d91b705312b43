import type { Outputs } from '@affiliate/client';
import { Fieldset, List, NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { rewardOf } from '../campaigns/campaign.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/rewards.ts';
import { type Catalog, ProductPicker } from './product-picker.tsx';
import { sentenceOf } from './sentence.ts';
import { EMPTY, NEW_TIER, type UsualRules, usualRules, withTier } from './usual-rules.ts';

interface UsualRewardsProps {
  campaign: Outputs['campaigns']['get'];
  catalog: Catalog | null;
  onClose: () => void;
}

/** One form for the rewards that most programs have beside the base reward. It shows them as sentences before it creates them. */
export function UsualRewards({ campaign, catalog, onClose }: UsualRewardsProps) {
  const { currency } = useMember().account;
  const form = useForm({ initialValues: { ...EMPTY, tier: t.firstTier } });
  const [create] = useState(() => creationFor(campaign.id));
  const add = useMutation({ mutationFn: (usual: UsualRules) => create(usual, catalog), onSuccess: onClose });
  const usual = usualRules(form.values, currency);
  const isKnown = catalog !== null && catalog.products.length > 0;
  const percent = { min: 0, max: 100, decimalScale: 2, suffix: '%' };
  const count = { min: 1, allowDecimal: false };
  const sentences = usual?.rules.map((rule) =>
    sentenceOf(rule, usual.tier === null ? [] : [{ id: NEW_TIER, name: usual.tier.name }], catalog),
  );
  return (
    <FormDialog
      title={t.usualRewards}
      submit={t.addRules}
      progress={add}
      disabled={usual === null || usual.rules.length === 0}
      onClose={onClose}
      onSubmit={form.onSubmit(() => {
        if (usual !== null) add.mutate(usual);
      })}
    >
      <Text>{t.baseIs({ reward: rewardOf(campaign) })}</Text>
      <Fieldset legend={t.lessLater}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput label={t.monthsOfBase} {...count} {...form.getInputProps('months')} />
          <NumberInput label={t.shareLater} {...percent} {...form.getInputProps('later')} />
        </SimpleGrid>
      </Fieldset>
      <Fieldset legend={t.excluded}>
        {isKnown && (
          <ProductPicker
            catalog={catalog}
            chosen={form.values.excluded.chosen}
            onChange={(chosen) => form.setFieldValue('excluded.chosen', chosen)}
          />
        )}
        <TextInput
          label={isKnown ? t.otherProducts : t.excludedProducts}
          description={isKnown ? t.otherProductsHint : t.productsHint}
          {...form.getInputProps('excluded.others')}
        />
      </Fieldset>
      <Fieldset legend={t.bonus}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t.bonusIn({ currency })} inputMode="decimal" {...form.getInputProps('bonus')} />
          <NumberInput label={t.customersForBonus} {...count} {...form.getInputProps('customers_for_bonus')} />
        </SimpleGrid>
      </Fieldset>
      <Fieldset legend={t.tier}>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <NumberInput label={t.shareOfTier} {...percent} {...form.getInputProps('tier_percent')} />
          <NumberInput label={t.customersForTier} {...count} {...form.getInputProps('customers_for_tier')} />
          <TextInput label={t.tierName} maxLength={200} {...form.getInputProps('tier')} />
        </SimpleGrid>
      </Fieldset>
      <div aria-live="polite">
        {sentences === undefined ? (
          <Text fw={600}>{t.usualIncomplete}</Text>
        ) : (
          <List fw={600}>
            {sentences.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        )}
      </div>
    </FormDialog>
  );
}

/**
 * Returns a function that creates a tier and rules. If it fails, it may be called again, also with other rules: it does not create again what it has
 * created.
 */
function creationFor(campaign_id: string) {
  const created = new Map<string, string>();
  const once = async (record: object, create: () => Promise<{ id: string }>) => {
    const key = JSON.stringify(record);
    const id = created.get(key) ?? (await create()).id;
    created.set(key, id);
    return id;
  };
  return async ({ tier, rules }: UsualRules, catalog: Catalog | null) => {
    const tierId = tier === null ? '' : await once(tier, () => client.tiers.create.mutate({ campaign_id, ...tier }));
    const tiers = tier === null ? [] : [{ id: tierId, name: tier.name }];
    for (const rule of rules.map((each) => withTier(each, tierId))) {
      const name = sentenceOf(rule, tiers, catalog).slice(0, 200);
      await once(rule, () => client.rewardRules.create.mutate({ campaign_id, name, ...rule }));
    }
  };
}
