import { cpuRatio, ratio, type Report } from './report.ts';

const WIDTH = 940;
const ROW = 26;
const TOP = 44;
/** Horizontal positions at which the columns end. Names begin at the left edge. */
const [SERVICE, LIMIT, RATIO, BARS] = [470, 560, 650, 680];
const UNIT = (WIDTH - BARS - 20) / 2;

/**
 * Returns the results as a picture: the rates of the servers, and bars that compare the service with the limit server. Bars for a ratio above 2 are
 * cut off at 2.
 */
export function tableSvg(reports: readonly Report[], commissions: number): string {
  const height = TOP + reports.length * ROW + 30;
  const rows = reports.map((report, index) => {
    const y = TOP + index * ROW;
    const length = (value: number) => (Math.min(value, 2) * UNIT).toFixed(1);
    return [
      text(10, y + 16, report.name.replaceAll('`', '')),
      text(SERVICE, y + 16, Math.round(report.service.perSecond).toLocaleString('en'), 'end'),
      text(LIMIT, y + 16, Math.round(report.limit.perSecond).toLocaleString('en'), 'end'),
      text(RATIO, y + 16, ratio(report).toFixed(2), 'end'),
      `<rect x="${BARS}" y="${y + 5}" width="${length(ratio(report))}" height="9" fill="#2b6cb0"/>`,
      `<rect x="${BARS}" y="${y + 15}" width="${length(cpuRatio(report))}" height="5" fill="#a0aec0"/>`,
    ].join('');
  });
  const bottom = TOP + reports.length * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13" fill="#1a202c">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${text(10, 24, `${commissions.toLocaleString('en')} commissions`)}${text(SERVICE, 24, 'service/s', 'end')}${text(LIMIT, 24, 'limit/s', 'end')}${text(RATIO, 24, 'ratio', 'end')}
${rows.join('\n')}
<line x1="${BARS + UNIT}" x2="${BARS + UNIT}" y1="${TOP - 6}" y2="${bottom}" stroke="#1a202c" stroke-dasharray="3 3"/>${text(BARS + UNIT, TOP - 10, 'limit', 'middle')}
${text(10, bottom + 20, 'Broad bars: requests per second. Narrow bars: processor time. Both as ratios to the limit server.')}
</svg>
`;
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end' = 'start'): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${escaped}</text>`;
}
