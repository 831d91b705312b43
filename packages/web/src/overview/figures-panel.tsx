import { SimpleGrid } from '@mantine/core';
import { changeOf } from '../analytics/formats.ts';
import { FigureTile } from '../components/figure-tile.tsx';
import { TileMoney, TileNumber } from '../components/tile-figure.tsx';
import { t } from '../texts/overview.ts';
import { isMoney, MEASURES, type Measure } from './measures.ts';
import { type Day, totalOf } from './series.ts';
import classes from './overview.module.css';

const SHOWN: readonly Measure[] = ['sales_cents', 'commissions_cents', 'conversions', 'clicks'];

const WIDTH = 96;
const HEIGHT = 28;

interface FiguresPanelProps {
  days: readonly Day[];
  /** The days of the period before, of the same length. Null while they are unknown. */
  before: readonly Day[] | null;
  currency: string;
}

/** The main figures of the range, each with its change since the period before and its course. */
export function FiguresPanel({ days, before, currency }: FiguresPanelProps) {
  return (
    <SimpleGrid component="dl" cols={{ base: 2, lg: 4 }} m={0} aria-label={t.totals}>
      {SHOWN.map((measure) => {
        const total = totalOf(days, measure);
        return (
          <FigureTile
            key={measure}
            label={MEASURES[measure]}
            value={isMoney(measure) ? <TileMoney cents={total} currency={currency} /> : <TileNumber value={total} />}
          >
            <dd className={classes['course']}>
              <Change now={total} before={before && totalOf(before, measure)} />
              <Sparkline values={days.map((day) => day[measure])} />
            </dd>
          </FigureTile>
        );
      })}
    </SimpleGrid>
  );
}

function Change({ now, before }: { now: number; before: number | null }) {
  const change = changeOf(now, before);
  const direction = before === null || now === before ? undefined : now > before ? 'up' : 'down';
  return (
    <span className={classes['change']} data-direction={change === null ? undefined : direction}>
      {change}
    </span>
  );
}

/** A small line below a figure, which shows its course. It says nothing that the figures do not say, so screen readers skip it. */
function Sparkline({ values }: { values: readonly number[] }) {
  const highest = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(HEIGHT - 2 - (Math.max(0, value) / highest) * (HEIGHT - 4)).toFixed(1)}`,
  );
  return (
    <svg className={classes['sparkline']} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      <polyline points={points.join(' ')} />
    </svg>
  );
}
