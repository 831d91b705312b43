import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'react-router';
import { nameOf } from '../components/affiliate-link.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Section } from '../components/section.tsx';
import { CreateRule, EditRule } from '../rewards/rule-dialog.tsx';
import type { Rule } from '../rewards/rule-values.ts';
import { useRules } from '../rewards/use-rules.ts';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/rewards.ts';
import type { Affiliate } from './affiliate.ts';

/** The rules of the affiliate’s own and of their links, and a form for a new one, e.g. a higher rate in December. */
export function RatesPanel({ affiliate }: { affiliate: Affiliate }) {
  const { id, campaign_id: campaignId, links } = affiliate;
  const may = useMay();
  const { rules, sentence, written } = useRules(campaignId);
  const [creating, dialog] = useDisclosure();
  const [edited, edit] = useState<Rule | null>(null);
  const mayChange = may('campaigns') && affiliate.archived_at === null;
  const isOwn = (rule: Rule) => rule.affiliate_id === id || (links ?? []).some((link) => link.id === rule.link_id);
  return (
    <Section title={t.ownRates}>
      <Stack gap="sm">
        <Loaded query={rules}>
          {({ data }) =>
            data.some(isOwn) ? (
              <Stack gap="xs">
                {data.filter(isOwn).map((rule) => (
                  <Group key={rule.id} gap="sm">
                    <Text>
                      {[sentence(rule), links?.find((link) => link.id === rule.link_id)?.token].filter(Boolean).join(' ')}
                    </Text>
                    {mayChange && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={t.editOf({ name: sentence(rule) })}
                        onClick={() => edit(rule)}
                      >
                        {t.edit}
                      </Button>
                    )}
                  </Group>
                ))}
              </Stack>
            ) : (
              <Text size="sm">{t.noOwnRates}</Text>
            )
          }
        </Loaded>
        <Group>
          {mayChange && (
            <Button variant="default" onClick={dialog.open}>
              {t.addOwnRate}
            </Button>
          )}
          <Anchor component={Link} to={`/campaigns/${campaignId}/rewards`} size="sm">
            {t.allRules}
          </Anchor>
        </Group>
      </Stack>
      {creating && <CreateRule {...written} owner={{ id, name: nameOf(affiliate) }} onClose={dialog.close} />}
      {edited && <EditRule {...written} rule={edited} onClose={() => edit(null)} />}
    </Section>
  );
}
