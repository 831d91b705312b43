import { Anchor, List, Paper, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { Outputs } from '../api/client.ts';
import { StateBadge } from '../components/state-badge.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/overview.ts';

/** Shows the numbers of commissions and sales to review, and the affiliates that need review. */
export function ReviewPanel({ needsReview }: { needsReview: Outputs['overview']['get']['needs_review'] }) {
  const { commissions_count, rewards_count, sales_count, affiliates } = needsReview;
  const toReview = [
    commissions_count > 0 && counts.flaggedCommissions(commissions_count),
    rewards_count > 0 && counts.contradictedRewards(rewards_count),
    sales_count > 0 && counts.salesToReview(sales_count),
  ].filter((each) => each !== false);
  const nothing = toReview.length === 0 && affiliates.length === 0;
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-labelledby="review">
      <Title order={2} size="h4" id="review" mb="sm">
        {t.needsReview}
      </Title>
      {nothing && <Text c="dimmed">{t.nothingToReview}</Text>}
      {toReview.map((counted) => (
        <Text key={counted} mb="sm">
          <Anchor component={Link} to="/commissions/review">
            {counted}
          </Anchor>
        </Text>
      ))}
      {affiliates.length > 0 && (
        <List listStyleType="none" spacing="xs" aria-label={t.affiliatesToReview}>
          {affiliates.map(({ id, email, state }) => (
            <List.Item key={id}>
              <Anchor component={Link} to={`/affiliates/${id}`} mr="sm">
                {email}
              </Anchor>
              <StateBadge state={state} />
            </List.Item>
          ))}
        </List>
      )}
    </Paper>
  );
}
