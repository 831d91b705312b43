import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Loaded } from '../components/loaded.tsx';
import { MoreActions } from '../components/more-actions.tsx';
import { Page } from '../components/page.tsx';
import { readableText } from '../components/readable-message.ts';
import { type Column, type Dragging, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { RecordLinks } from '../records/record-links.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/rewards.ts';
import { Effect, type NameOf, warningIn } from './effect.tsx';
import { CreateRule, EditRule } from './rule-dialog.tsx';
import { RuleOwner, useOwners } from './rule-owner.tsx';
import type { Rule } from './rule-values.ts';
import { Tiers } from './tiers.tsx';
import { TryOut } from './try-out.tsx';
import { useRules } from './use-rules.ts';
import { UsualRewards } from './usual-rewards.tsx';

type Campaign = Outputs['campaigns']['get'];

/** The reward rules of a campaign as sentences, in the order in which they decide. */
export function RewardsPage() {
  const { id = '' } = useParams();
  const campaign = useQuery(trpc.campaigns.get.queryOptions({ id }));
  return <LoadedPage query={campaign}>{(record) => <RewardsOf campaign={record} />}</LoadedPage>;
}

function RewardsOf({ campaign }: { campaign: Campaign }) {
  const may = useMay();
  const { rules, tiers, sentence, written } = useRules(campaign.id);
  const { catalog, nameOf } = written;
  const [creating, dialog] = useDisclosure();
  const [settingUp, usual] = useDisclosure();
  const [edited, edit] = useState<Rule | null>(null);
  const mayChange = may('campaigns') && campaign.archived_at === null;
  const add = mayChange && (
    <Button variant={rules.data?.data.length === 0 ? 'default' : 'filled'} onClick={dialog.open}>
      {t.addRule}
    </Button>
  );
  return (
    <Page title={t.rewardsOf({ name: campaign.name })} description={t.description} actions={add}>
      <RecordLinks of="campaign" id={campaign.id} />
      {catalog?.problem != null && (
        <Text size="sm">
          <Filled text={t.catalogProblem} values={{ problem: readableText(catalog.problem) }} />
        </Text>
      )}
      <Loaded query={tiers}>
        {({ data: known }) => (
          <Stack>
            <Loaded query={rules}>
              {({ data }) =>
                data.length === 0 ? (
                  <EmptyState
                    picture="campaigns"
                    title={t.noRules}
                    action={mayChange && <Button onClick={usual.open}>{t.usualRewards}</Button>}
                  >
                    {t.noRulesHint}
                  </EmptyState>
                ) : (
                  <Stack>
                    <Rules
                      key={data.map(({ id }) => id).join()}
                      campaignId={campaign.id}
                      rules={data}
                      sentence={sentence}
                      nameOf={nameOf}
                      mayChange={mayChange}
                      onEdit={edit}
                    />
                    <Text size="sm">{t.baseLast}</Text>
                    {may('campaigns') && <TryOut campaign={campaign} tiers={known} />}
                  </Stack>
                )
              }
            </Loaded>
            <Tiers campaignId={campaign.id} tiers={known} mayChange={mayChange} />
          </Stack>
        )}
      </Loaded>
      {creating && <CreateRule {...written} onClose={dialog.close} />}
      {settingUp && <UsualRewards campaign={campaign} catalog={catalog} onClose={usual.close} />}
      {edited && <EditRule {...written} rule={edited} onClose={() => edit(null)} />}
    </Page>
  );
}

interface RulesProps {
  campaignId: string;
  rules: Rule[];
  sentence: (rule: Rule) => string;
  nameOf: NameOf;
  mayChange: boolean;
  onEdit: (rule: Rule) => void;
}

/** The rules in their order. A new order, by dragging or by the buttons, is saved after the page has said what it changes. */
function Rules({ campaignId, rules, sentence, nameOf, mayChange, onEdit }: RulesProps) {
  const isOfCampaign = ({ affiliate_id, link_id }: Rule) => affiliate_id === null && link_id === null;
  const stored = rules.filter(isOfCampaign);
  const [ruleIds, order] = useState(stored.map(({ id }) => id));
  const ordered = ruleIds.map((ruleId) => stored.find(({ id }) => id === ruleId)!);
  const reorder = useMutation(trpc.rewardRules.reorder.mutationOptions());
  const owners = useOwners(rules);
  const warnings = useQuery(trpc.rewardRules.warnings.queryOptions({ id: campaignId })).data?.data ?? [];
  const moveTo = (rule: Rule, place: number) =>
    order((current) => current.filter((id) => id !== rule.id).toSpliced(place, 0, rule.id));
  const placeOf = (rule: Rule) => ruleIds.indexOf(rule.id);
  const isReordered = ruleIds.some((id, i) => id !== stored[i]!.id);
  const columns: Column<Rule>[] = [
    {
      header: t.rule,
      cell: (rule) => {
        const warning = warnings.find(({ rule_id }) => rule_id === rule.id);
        return (
          <>
            <Text fw={500}>{sentence(rule)}</Text>
            {rule.name !== sentence(rule) && (
              <Text size="sm" c="dimmed">
                {rule.name}
              </Text>
            )}
            <RuleOwner rule={rule} owners={owners} />
            {warning && (
              <Text size="sm" fw={600}>
                {warningIn(warning, nameOf)}
              </Text>
            )}
          </>
        );
      },
    },
  ];
  if (mayChange)
    columns.push({
      header: t.actions,
      cell: (rule) => {
        const place = placeOf(rule);
        const name = sentence(rule);
        return (
          <Group gap="xs">
            <Button size="compact-sm" variant="default" aria-label={t.editOf({ name })} onClick={() => onEdit(rule)}>
              {t.edit}
            </Button>
            <MoreActions subject={name} size="compact-sm">
              {place > 0 && (
                <Button
                  variant="default"
                  aria-label={t.upOf({ name })}
                  disabled={reorder.isPending}
                  onClick={() => moveTo(rule, place - 1)}
                >
                  {t.up}
                </Button>
              )}
              {place !== -1 && place < ordered.length - 1 && (
                <Button
                  variant="default"
                  aria-label={t.downOf({ name })}
                  disabled={reorder.isPending}
                  onClick={() => moveTo(rule, place + 1)}
                >
                  {t.down}
                </Button>
              )}
              <EndRule campaignId={campaignId} id={rule.id} name={name} nameOf={nameOf} />
            </MoreActions>
          </Group>
        );
      },
    });
  const dragging: Dragging<Rule> | undefined = mayChange
    ? { isMovable: isOfCampaign, move: (rule, onto) => moveTo(rule, placeOf(onto)) }
    : undefined;
  return (
    <Section title={t.rules}>
      {reorder.isError && <Failure error={reorder.error} />}
      <RecordTable
        caption={t.rules}
        columns={columns}
        rows={[...rules.filter((rule) => !isOfCampaign(rule)), ...ordered]}
        keyOf={({ id }) => id}
        dragging={dragging}
      />
      {mayChange && stored.length > 1 && (
        <Text size="sm" c="dimmed" mt="xs">
          {t.dragHint}
        </Text>
      )}
      {isReordered && (
        <Stack mt="sm" gap="xs">
          <Effect campaignId={campaignId} change={{ rule_ids: ruleIds }} nameOf={nameOf} />
          <Group>
            <Button loading={reorder.isPending} onClick={() => reorder.mutate({ campaign_id: campaignId, rule_ids: ruleIds })}>
              {t.saveOrder}
            </Button>
            <Button variant="default" onClick={() => order(stored.map(({ id }) => id))}>
              {t.discardOrder}
            </Button>
          </Group>
        </Stack>
      )}
    </Section>
  );
}

interface EndRuleProps {
  campaignId: string;
  id: string;
  name: string;
  nameOf: NameOf;
}

function EndRule({ campaignId, id, name, nameOf }: EndRuleProps) {
  const end = useMutation(trpc.rewardRules.end.mutationOptions());
  return (
    <ConfirmedButton
      action={t.end}
      subject={name}
      size="sm"
      dangerous
      consequence={t.endConsequence}
      details={<Effect campaignId={campaignId} change={{ end: id }} nameOf={nameOf} />}
      mutation={end}
      run={() => end.mutateAsync({ id })}
    />
  );
}
