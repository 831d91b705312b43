import type { Round } from './load.ts';

export interface Report {
  name: string;
  service: Round;
  limit: Round;
  foreign: number;
}

const HEADINGS = [
  'work',
  'service/s',
  'limit/s',
  'ratio',
  'CPU ratio',
  'p50 ms',
  'p99 ms',
  'statements',
  'CPU ms: node + database',
  'limit: CPU ms',
  'foreign load',
];

/** Returns the rate of the service divided by the rate of the limit server. */
export function ratio({ service, limit }: Report): number {
  return service.perSecond / limit.perSecond;
}

/** Returns the processor time of the limit server divided by that of the service, both including the database's. */
export function cpuRatio({ service, limit }: Report): number {
  return (limit.serverMs + limit.databaseMs) / (service.serverMs + service.databaseMs);
}

/** Returns the results as a Markdown table. */
export function table(reports: readonly Report[], commissions: number): string {
  const rows = reports.map((report) => {
    const { name, service, limit, foreign } = report;
    return [
      name,
      Math.round(service.perSecond),
      Math.round(limit.perSecond),
      ratio(report).toFixed(2),
      cpuRatio(report).toFixed(2),
      service.p50.toFixed(1),
      service.p99.toFixed(1),
      service.statements.toFixed(1),
      `${service.serverMs.toFixed(2)} + ${service.databaseMs.toFixed(2)}`,
      `${limit.serverMs.toFixed(2)} + ${limit.databaseMs.toFixed(2)}`,
      `${Math.round(foreign * 100)} %`,
    ];
  });
  const lines = [HEADINGS, HEADINGS.map((_, column) => (column === 0 ? '---' : '---:')), ...rows];
  return `${commissions} commissions\n\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
