import { SimpleGrid, Stack, Text } from '@mantine/core';
import { DASH, percent } from '../analytics/formats.ts';
import { formatMoney } from '../components/amounts.ts';
import { FigureTile } from '../components/figure-tile.tsx';
import { OnPage } from '../components/looked-at.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { TileMoney, TileNumber } from '../components/tile-figure.tsx';
import { t } from '../texts/affiliates.ts';
import { t as counts } from '../texts/counts.ts';
import type { Affiliate } from './affiliate.ts';

type Earnings = NonNullable<Affiliate['commission_stats']>['currencies'][number];

const UNDER_REVIEW = amount(t.underReview, 'under_review_cents');

const COLUMNS: Column<Earnings>[] = [
  { header: t.currency, cell: ({ currency }) => currency },
  amount(t.pending, 'pending_cents'),
  amount(t.due, 'due_cents'),
  UNDER_REVIEW,
  amount(t.paid, 'paid_cents'),
  amount(t.voided, 'voided_cents'),
];

function amount(header: string, field: Exclude<keyof Earnings, 'currency'>): Column<Earnings> {
  return { header, numeric: true, cell: ({ currency, [field]: cents }) => formatMoney(cents, currency) };
}

/** Leaves out the column of what is under review if nothing is. */
function columnsOf(currencies: readonly Earnings[]): Column<Earnings>[] {
  return currencies.some(({ under_review_cents }) => under_review_cents !== 0)
    ? COLUMNS
    : COLUMNS.filter((column) => column !== UNDER_REVIEW);
}

/** Shows what an affiliate has brought and earned: the main figures, then the commissions by state, per currency. */
export function EarningsPanel({ affiliate: { commission_stats: stats } }: { affiliate: Affiliate }) {
  if (!stats) return null;
  const { visitors, leads, conversions, currencies } = stats;
  const sums = (of: (earnings: Earnings) => number) =>
    currencies.length === 0
      ? DASH
      : currencies.map((each) => (
          <div key={each.currency}>
            <TileMoney cents={of(each)} currency={each.currency} />
          </div>
        ));
  return (
    <Stack>
      <SimpleGrid component="dl" type="container" cols={{ base: 2, '720px': 4 }} m={0} aria-label={t.earnings}>
        <FigureTile label={t.sales} value={sums(({ gross_sales_cents }) => gross_sales_cents)} />
        <FigureTile
          label={t.earned}
          value={sums(({ pending_cents, due_cents, paid_cents }) => pending_cents + due_cents + paid_cents)}
        />
        <FigureTile label={t.conversions} value={<TileNumber value={conversions} />}>
          {visitors > 0 && <Note>{t.ofReferrals({ share: percent(conversions / visitors) })}</Note>}
        </FigureTile>
        <FigureTile label={t.referrals} value={<TileNumber value={visitors} />}>
          <Note>{counts.leads(leads)}</Note>
        </FigureTile>
      </SimpleGrid>
      {currencies.length === 0 ? (
        <Text c="dimmed">{t.noSalesYet}</Text>
      ) : (
        <OnPage>
          <RecordTable
            caption={t.earnings}
            columns={columnsOf(currencies)}
            rows={currencies}
            keyOf={({ currency }) => currency}
          />
        </OnPage>
      )}
    </Stack>
  );
}

function Note({ children }: { children: string }) {
  return (
    <Text component="dd" m={0} size="sm" c="dimmed">
      {children}
    </Text>
  );
}
