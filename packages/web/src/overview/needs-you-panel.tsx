import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Outputs } from '../api/client.ts';
import { Panel } from '../components/panel.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/overview.ts';
import classes from './overview.module.css';

/** Shows what needs a person: the numbers of commissions, rewards and sales, and the affiliates. */
export function NeedsYouPanel({ needsReview }: { needsReview: Outputs['overview']['get']['needs_review'] }) {
  const { commissions_count, rewards_count, sales_count, affiliates } = needsReview;
  const toReview = [
    commissions_count > 0 && counts.flaggedCommissions(commissions_count),
    rewards_count > 0 && counts.contradictedRewards(rewards_count),
    sales_count > 0 && counts.salesToReview(sales_count),
  ].filter((each) => each !== false);
  const nothing = toReview.length === 0 && affiliates.length === 0;
  return (
    <Panel title={t.needsReview}>
      {nothing ? (
        <Text c="dimmed">{t.nothingToReview}</Text>
      ) : (
        <ul className={classes['tasks']}>
          {toReview.map((counted) => (
            <li key={counted}>
              <Anchor component={Link} to="/commissions/review" inherit>
                {counted}
              </Anchor>
            </li>
          ))}
          {affiliates.map(({ id, email, state }) => (
            <li key={id}>
              <Anchor component={Link} to={`/affiliates/${id}`} inherit truncate>
                {email}
              </Anchor>
              <StateBadge state={state} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
