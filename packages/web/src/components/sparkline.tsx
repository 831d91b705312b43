import classes from './sparkline.module.css';

const WIDTH = 96;
const HEIGHT = 28;

/** A small line below a figure, which shows its course. It says nothing that the figures do not say, so screen readers skip it. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const highest = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(HEIGHT - 2 - (Math.max(0, value) / highest) * (HEIGHT - 4)).toFixed(1)}`,
  );
  return (
    <svg className={classes['line']} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      <polyline points={points.join(' ')} />
    </svg>
  );
}
