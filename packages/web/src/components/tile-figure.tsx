import { LOCALE } from '../texts/language.ts';
import { formatMoney, formatShortMoney, formatShortNumber } from './amounts.ts';
import classes from './tile-figure.module.css';

/** Number of characters that fit into a tile at every width of the page. */
const FITTING = 12;

/** An amount in a tile. A long amount is abbreviated; the full amount is shown on hover and read by screen readers. */
export function TileMoney({ cents, currency }: { cents: number; currency: string }) {
  return <TileFigure full={formatMoney(cents, currency)} short={() => formatShortMoney(cents, currency)} />;
}

/** A number in a tile, abbreviated like an amount. */
export function TileNumber({ value }: { value: number }) {
  return <TileFigure full={value.toLocaleString(LOCALE)} short={() => formatShortNumber(value)} />;
}

/** A figure in a tile, abbreviated by `short` if it is long. It never wraps. */
function TileFigure({ full, short }: { full: string; short: () => string }) {
  if (full.length <= FITTING) return <span className={classes['figure']}>{full}</span>;
  return (
    <span className={classes['figure']} title={full}>
      <span aria-hidden>{short()}</span>
      <span className={classes['full']}>{full}</span>
    </span>
  );
}
