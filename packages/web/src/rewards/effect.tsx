import type { Inputs, Outputs } from '@affiliate/client';
import { Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { Failure } from '../components/failure.tsx';
import { LOCALE } from '../texts/language.ts';
import { onDemand } from '../texts/on-demand.ts';
import { t } from '../texts/rewards.ts';

type RewardEffect = Outputs['rewardRules']['previewChange'];
export type RewardChange = Omit<Inputs['rewardRules']['previewChange'], 'id'>;

/** Time without further input after which an effect is computed. */
const DELAY_MS = 300;
const LISTED = onDemand(() => new Intl.ListFormat(LOCALE));

interface EffectProps {
  campaignId: string;
  change: RewardChange;
  /** Returns the name of a rule, or null for a rule that is not created yet. */
  nameOf: (ruleId: string | null) => string | null;
}

/** Says what a change of rewards would have cost for the sales of the last days, before it is made. */
export function Effect({ campaignId, change, nameOf }: EffectProps) {
  const [asked] = useDebouncedValue(change, DELAY_MS);
  const effect = useQuery({
    queryKey: ['reward-effect', campaignId, asked],
    queryFn: () => client.rewardRules.previewChange.mutate({ id: campaignId, ...asked }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (effect.isError) return <Failure error={effect.error} />;
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">{t.fromNowOn}</Text>
      {effect.data && <Text size="sm">{costIn(effect.data)}</Text>}
      {effect.data?.is_complete === false && (
        <Text size="sm">{t.latestOnly({ count: effect.data.sales_count.toLocaleString(LOCALE) })}</Text>
      )}
      {effect.data?.warnings.map(({ rule_id, code, by_rule_id }) => (
        <Text key={`${rule_id} ${code}`} size="sm" fw={600}>
          {`${nameOf(rule_id) ?? t.newRule}: ${warningIn(code, nameOf(by_rule_id) ?? t.newRule)}`}
        </Text>
      ))}
    </Stack>
  );
}

function costIn({ totals }: RewardEffect): string {
  if (totals.length === 0) return t.noSales;
  const amounts = (of: 'current_cents' | 'changed_cents') =>
    LISTED().format(totals.map((total) => formatMoney(total[of], total.currency)));
  const [current, changed] = [amounts('current_cents'), amounts('changed_cents')];
  return current === changed ? t.wouldCostTheSame({ current }) : t.wouldHaveCost({ changed, current });
}

/** Says why a rule can never match. */
export function warningIn(code: RewardEffect['warnings'][number]['code'], by: string): string {
  const texts = {
    shadowed: t.warnShadowed({ by }),
    contradiction: t.warnContradiction,
    unknown_product: t.warnUnknownProduct,
    unknown_price: t.warnUnknownPrice,
    ended_tier: t.warnEndedTier,
    ended_period: t.warnEndedPeriod,
  } satisfies Record<typeof code, string>;
  return texts[code];
}
