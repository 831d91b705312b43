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
import type { Rule } from './rule-values.ts';

type RewardEffect = Outputs['rewardRules']['previewChange'];
export type RewardChange = Omit<Inputs['rewardRules']['previewChange'], 'id'>;

/** Time without further input after which an effect is computed. */
const DELAY_MS = 300;
const LISTED = onDemand(() => new Intl.ListFormat(LOCALE));

/** Returns a rule in words, in a case if one is given; null for a rule that is not created yet. */
export type NameOf = (ruleId: string | null, when?: Rule['when']) => string | null;

interface EffectProps {
  campaignId: string;
  change: RewardChange;
  nameOf: NameOf;
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
      {effect.data?.warnings.map((warning) => (
        <Text key={`${warning.rule_id} ${warning.code}`} size="sm" fw={600}>
          {`${nameOf(warning.rule_id) ?? t.newRule}: ${warningIn(warning, nameOf)}`}
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

/** Says what is wrong with a rule: why it can never match, or what an earlier one pays in a case for which both are. */
export function warningIn({ code, by_rule_id, when }: Omit<RewardEffect['warnings'][number], 'rule_id'>, nameOf: NameOf): string {
  const by = nameOf(by_rule_id, when ?? undefined) ?? t.newRule;
  const whys = {
    shadowed: t.warnShadowed({ by }),
    contradiction: t.warnContradiction,
    unknown_product: t.warnUnknownProduct,
    unknown_price: t.warnUnknownPrice,
    ended_tier: t.warnEndedTier,
    ended_period: t.warnEndedPeriod,
  } satisfies Record<Exclude<typeof code, 'partly_shadowed'>, string>;
  return code === 'partly_shadowed' ? t.partlyTaken({ by }) : t.neverMatches({ why: whys[code] });
}
