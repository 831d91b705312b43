import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import type { Rule } from './rule-values.ts';
import { sentenceOf } from './sentence.ts';

/** Maximum number of rules and of tiers that are shown. */
const ALL = 100;

/** Loads the rules of a campaign with the tiers and products that they name, and returns functions that put them into words. */
export function useRules(campaignId: string) {
  const rules = useQuery(trpc.rewardRules.list.queryOptions({ campaign_id: campaignId, limit: ALL }));
  const tiers = useQuery(trpc.tiers.list.queryOptions({ campaign_id: campaignId, limit: ALL }));
  // Without the names of products, the page shows their IDs.
  const catalog = useQuery(trpc.pspConnection.catalog.queryOptions({})).data ?? null;
  const sentence = (rule: Rule) => sentenceOf(rule, tiers.data?.data ?? [], catalog);
  const nameOf = (ruleId: string | null, when?: Rule['when']) => {
    const rule = rules.data?.data.find(({ id }) => id === ruleId);
    return rule === undefined ? null : sentence({ ...rule, when: when ?? rule.when });
  };
  return { rules, tiers, sentence, written: { campaignId, tiers: tiers.data?.data ?? [], catalog, nameOf } };
}
