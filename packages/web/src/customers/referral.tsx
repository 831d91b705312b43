import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { StateBadge } from '../components/state-badge.tsx';
import { t } from '../texts/en/customers.ts';

/** Link to a referral's page. The end of an id tells referrals apart. */
export function ReferralLink({ id }: { id: string }) {
  return (
    <Anchor component={Link} to={`/customers/referrals/${id}`} title={id}>
      {t.referralNamed({ id: id.slice(-6) })}
    </Anchor>
  );
}

export function ReferralState({
  referral: { conversion_state, deactivated_at },
}: {
  referral: { conversion_state: string; deactivated_at: string | null };
}) {
  return (
    <div>
      <StateBadge state={conversion_state} />
      {deactivated_at !== null && <StateBadge state="deactivated" />}
    </div>
  );
}
