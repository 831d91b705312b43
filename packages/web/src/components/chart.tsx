import { useElementSize } from '@mantine/hooks';
import { ticks } from 'd3-array';
import { type PointerEvent, useState } from 'react';
import classes from './chart.module.css';

const HEIGHT = 256;
const TOP = 8;
const BOTTOM = 22;
const LINES = 4;
/** Minimum distance between two labels of the horizontal axis, in pixels. */
const LABEL_WIDTH = 64;
const MAX_BAR_WIDTH = 18;

interface Series {
  label: string;
  /** A color of the theme, e.g. `indigo.5`. */
  color: string;
  values: readonly number[];
  /** True for the series of an earlier period, which is a dashed line without an area. */
  isDashed?: boolean;
}

interface ChartProps {
  /** `area` is a line with the area below it. `bars` draws the series as bars side by side. */
  kind: 'area' | 'bars';
  series: readonly Series[];
  /** Names of the points: short for the axis, long for the details of a point. */
  points: readonly { short: string; long: string }[];
  /** Width that the labels of the vertical axis take, in pixels. */
  axisWidth: number;
  formatAxis: (value: number) => string;
  format: (value: number) => string;
}

/** A chart of a few series. Screen readers cannot read it, so the page must also show the data as a table. */
export function Chart({ kind, series, points, axisWidth, formatAxis, format }: ChartProps) {
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const all = series.flatMap(({ values }) => values);
  // Extends the axis to at least `LINES - 1`, so that an empty chart is not labeled with fractions of a click.
  const steps = ticks(Math.min(0, ...all), Math.max(LINES - 1, ...all), LINES);
  const lowest = Math.min(steps[0]!, ...all);
  const highest = Math.max(steps.at(-1)!, ...all);
  const y = (value: number) => TOP + ((highest - value) / (highest - lowest)) * (HEIGHT - TOP - BOTTOM);
  const slot = Math.max(0, width - axisWidth) / Math.max(1, points.length);
  const middle = (index: number) => axisWidth + (index + 0.5) * slot;
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / Math.max(1, slot)));
  const bar = Math.min(MAX_BAR_WIDTH, (slot * 0.85) / series.length);

  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const index = Math.floor((clientX - currentTarget.getBoundingClientRect().left - axisWidth) / slot);
    setPointed(index >= 0 && index < points.length ? index : null);
  };

  return (
    <div ref={ref} className={classes['chart']} onPointerMove={point} onPointerLeave={() => setPointed(null)}>
      <svg width={width} height={HEIGHT} className={classes['drawing']}>
        {steps.map((step) => (
          <g key={step}>
            <line x1={axisWidth} x2={width} y1={y(step)} y2={y(step)} className={classes['line']} />
            <text x={axisWidth - 8} y={y(step)} dy="0.32em" textAnchor="end">
              {formatAxis(step)}
            </text>
          </g>
        ))}
        {points.map(({ short, long }, index) =>
          index % every === 0 ? (
            <text key={long} x={middle(index)} y={HEIGHT - 4} textAnchor="middle">
              {short}
            </text>
          ) : null,
        )}
        {pointed !== null && (
          <rect
            x={middle(pointed) - slot / 2}
            y={TOP}
            width={slot}
            height={HEIGHT - TOP - BOTTOM}
            className={classes['pointed']}
          />
        )}
        {kind === 'area'
          ? series.map(({ label, color, values, isDashed }) => {
              const line = values.map((value, index) => `${middle(index)},${y(value)}`).join(' ');
              return (
                <g key={label}>
                  {!isDashed && (
                    <polygon
                      points={`${middle(0)},${y(0)} ${line} ${middle(values.length - 1)},${y(0)}`}
                      fill={colorOf(color)}
                      opacity={0.08}
                    />
                  )}
                  <polyline
                    points={line}
                    fill="none"
                    stroke={colorOf(color)}
                    strokeWidth={1.5}
                    strokeLinejoin="round"
                    strokeDasharray={isDashed ? '3 3' : undefined}
                  />
                </g>
              );
            })
          : series.map(({ label, color, values }, place) =>
              values.map((value, index) => (
                <rect
                  key={`${label} ${points[index]!.long}`}
                  x={middle(index) + (place - series.length / 2) * bar}
                  y={Math.min(y(value), y(0))}
                  width={Math.max(1, bar - 1)}
                  height={Math.abs(y(value) - y(0))}
                  fill={colorOf(color)}
                />
              )),
            )}
      </svg>
      {pointed !== null && (
        <div
          className={classes['values']}
          style={middle(pointed) < width / 2 ? { left: middle(pointed) + slot } : { right: width - middle(pointed) + slot }}
        >
          <div>{points[pointed]!.long}</div>
          {series.map(({ label, color, values }) => (
            <div key={label} className={classes['value']}>
              <Key label={label} color={color} />
              <span>{values[pointed] === undefined ? '–' : format(values[pointed])}</span>
            </div>
          ))}
        </div>
      )}
      <div className={classes['legend']}>
        {series.map(({ label, color }) => (
          <Key key={label} label={label} color={color} />
        ))}
      </div>
    </div>
  );
}

function Key({ label, color }: { label: string; color: string }) {
  return (
    <span className={classes['key']}>
      <span className={classes['swatch']} style={{ background: colorOf(color) }} />
      {label}
    </span>
  );
}

function colorOf(color: string): string {
  return `var(--mantine-color-${color.replace('.', '-')})`;
}
