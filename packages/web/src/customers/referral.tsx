import { RecordLink } from '../components/cells.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { t } from '../texts/customers.ts';

/** A link to a referral's page. Its text has the last six characters of the id, which tell referrals apart. */
export function ReferralLink({ id }: { id: string }) {
  return (
    <RecordLink to={`/customers/referrals/${id}`} title={id}>
      {t.referralNamed({ id: id.slice(-6) })}
    </RecordLink>
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
