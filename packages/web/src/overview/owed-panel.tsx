import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Outputs } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { labelOf } from '../components/labels.ts';
import { Panel } from '../components/panel.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/overview.ts';
import classes from './overview.module.css';

type Due = Outputs['overview']['get']['due'][number];

/** The parts of what is owed that cannot be paid now, with the lists of their records. */
const LATER: readonly { label: string; field: Exclude<keyof Due, 'currency' | 'obstacles'>; path: string }[] = [
  { label: t.processing, field: 'processing', path: '/payouts?state=processing' },
  { label: t.notDueYet, field: 'not_due_yet', path: '/commissions?state=pending' },
  { label: t.underReview, field: 'under_review', path: '/commissions/review' },
];

/** Shows what is owed to affiliates, per currency, that of the account first: what can be paid now as the main figure, then what waits, and for what. What affiliates owe is a sum of its own. */
export function OwedPanel({ due }: { due: Due[] }) {
  const { account } = useMember();
  const isOwn = ({ currency }: Due) => Number(currency === account.currency);
  return (
    <Panel title={t.payoutsOwed}>
      {due.length === 0 ? (
        <Text c="dimmed">{t.nothingOwed}</Text>
      ) : (
        due.toSorted((a, b) => isOwn(b) - isOwn(a)).map((each) => <InCurrency key={each.currency} due={each} />)
      )}
    </Panel>
  );
}

function InCurrency({ due }: { due: Due }) {
  const { currency, payable, waiting, obstacles, debts } = due;
  return (
    <dl className={classes['owed']} aria-label={currency}>
      <Row label={t.due} path="/payouts?state=due" currency={currency} of={payable} isMain />
      {waiting.count > 0 && <Row label={t.pending} path="/payouts?state=pending" currency={currency} of={waiting} />}
      {obstacles.map(({ reason, count, amount_cents }) => (
        <div key={reason} className={classes['amount']} data-reason>
          <dt>{t.labelOfCount({ label: labelOf(reason), count })}</dt>
          <dd>{formatMoney(amount_cents, currency)}</dd>
        </div>
      ))}
      {LATER.filter(({ field }) => due[field].count > 0).map(({ label, field, path }) => (
        <Row key={field} label={label} path={path} currency={currency} of={due[field]} />
      ))}
      {debts.count > 0 && (
        <Row label={t.debts} path={`/payouts?state=pending&currency=${currency}&max=0`} currency={currency} of={debts} />
      )}
    </dl>
  );
}

interface RowProps {
  label: string;
  path: string;
  currency: string;
  of: Due['payable'];
  isMain?: boolean;
}

function Row({ label, path, currency, of: { count, amount_cents }, isMain }: RowProps) {
  const amount = formatMoney(amount_cents, currency);
  return (
    <div className={classes['amount']} data-main={isMain || undefined}>
      <dt>{count === 0 ? label : t.labelOfCount({ label, count })}</dt>
      <dd>
        {count === 0 ? (
          amount
        ) : (
          <Anchor component={Link} to={path} inherit aria-label={`${label}: ${amount}`}>
            {amount}
          </Anchor>
        )}
      </dd>
    </div>
  );
}
