import { roleAtLeast } from '@affiliate/core/browser';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Failure } from '../components/failure.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/rewards.ts';
import { CreateRule } from './create-rule.tsx';
import { sentenceOf } from './sentence.ts';
import { TryOut } from './try-out.tsx';

type Campaign = Outputs['campaigns']['get'];
type Rule = Outputs['rewardRules']['get'];
type Tier = Outputs['tiers']['get'];

/** Maximum number of rules of a campaign. */
const ALL = 100;

/** The reward rules of a campaign as sentences, in the order in which they decide. */
export function RewardsPage() {
  const { id = '' } = useParams();
  const campaign = useQuery(trpc.campaigns.get.queryOptions({ id }));
  return <LoadedPage query={campaign}>{(record) => <RewardsOf campaign={record} />}</LoadedPage>;
}

function RewardsOf({ campaign }: { campaign: Campaign }) {
  const { role } = useMember();
  const rules = useQuery(trpc.rewardRules.list.queryOptions({ campaign_id: campaign.id, limit: ALL }));
  const tiers = useQuery(trpc.tiers.list.queryOptions({ campaign_id: campaign.id, limit: ALL }));
  const [creating, dialog] = useDisclosure();
  const mayChange = roleAtLeast(role, 'admin') && campaign.archived_at === null;
  const add = mayChange && <Button onClick={dialog.open}>{t.addRule}</Button>;
  return (
    <Page title={t.rewardsOf({ name: campaign.name })} description={t.description} actions={add}>
      <Group>
        <Anchor component={Link} to="/campaigns">
          {t.campaigns}
        </Anchor>
      </Group>
      <Loaded query={tiers}>
        {({ data: known }) => (
          <Loaded query={rules}>
            {({ data }) =>
              data.length === 0 ? (
                <EmptyState title={t.noRules} action={add}>
                  {t.noRulesHint}
                </EmptyState>
              ) : (
                <Stack>
                  <Rules campaignId={campaign.id} rules={data} tiers={known} mayChange={mayChange} />
                  <Text size="sm">{t.baseLast}</Text>
                  <TryOut campaignId={campaign.id} />
                </Stack>
              )
            }
          </Loaded>
        )}
      </Loaded>
      {creating && <CreateRule campaignId={campaign.id} tiers={tiers.data?.data ?? []} onClose={dialog.close} />}
    </Page>
  );
}

interface RulesProps {
  campaignId: string;
  rules: Rule[];
  tiers: Tier[];
  mayChange: boolean;
}

function Rules({ campaignId, rules, tiers, mayChange }: RulesProps) {
  const reorder = useMutation(trpc.rewardRules.reorder.mutationOptions());
  const ofCampaign = rules.filter(({ affiliate_id, link_id }) => affiliate_id === null && link_id === null);
  const move = (rule: Rule, by: -1 | 1) => {
    const ids = ofCampaign.map(({ id }) => id);
    const from = ids.indexOf(rule.id);
    reorder.mutate({ campaign_id: campaignId, rule_ids: ids.toSpliced(from, 1).toSpliced(from + by, 0, rule.id) });
  };
  const columns: Column<Rule>[] = [
    {
      header: t.rule,
      cell: (rule) => (
        <>
          <Text fw={500}>{sentenceOf(rule, tiers)}</Text>
          <Text size="sm" c="dimmed">
            {[rule.name, rule.affiliate_id !== null && t.forOneAffiliate].filter(Boolean).join(', ')}
          </Text>
        </>
      ),
    },
  ];
  if (mayChange)
    columns.push({
      header: t.actions,
      cell: (rule) => {
        const place = ofCampaign.indexOf(rule);
        const name = sentenceOf(rule, tiers);
        return (
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t.upOf({ name })}
              disabled={place < 1 || reorder.isPending}
              onClick={() => move(rule, -1)}
            >
              {t.up}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t.downOf({ name })}
              disabled={place === -1 || place === ofCampaign.length - 1 || reorder.isPending}
              onClick={() => move(rule, 1)}
            >
              {t.down}
            </Button>
            <EndRule id={rule.id} name={name} />
          </Group>
        );
      },
    });
  return (
    <Section title={t.rules}>
      {reorder.isError && <Failure error={reorder.error} />}
      <RecordTable caption={t.rules} columns={columns} rows={rules} keyOf={({ id }) => id} />
    </Section>
  );
}

function EndRule({ id, name }: { id: string; name: string }) {
  const end = useMutation(trpc.rewardRules.end.mutationOptions());
  return (
    <ConfirmedButton
      action={t.end}
      subject={name}
      dangerous
      consequence={t.endConsequence}
      mutation={end}
      run={() => end.mutateAsync({ id })}
    />
  );
}
