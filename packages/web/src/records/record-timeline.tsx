import { Anchor, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Outputs } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { labelOf } from '../components/labels.ts';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { t } from '../texts/timeline.ts';
import { pathOf } from './paths.ts';

type Timeline = Outputs['sales']['timeline'];
type Entry = Timeline['entries'][number];

const COLUMNS: Column<Entry>[] = [
  { header: t.when, cell: ({ at }) => <Moment at={at} /> },
  { header: t.what, cell: (entry) => <What entry={entry} /> },
  {
    header: t.amount,
    stays: true,
    numeric: true,
    cell: (entry) => <Amount entry={entry} />,
  },
  { header: t.who, cell: (entry) => <Actor entry={entry} /> },
];

/** Shows the history of a record and of the records connected with it. */
export function RecordTimeline({ query }: { query: UseQueryResult<Timeline, unknown> }) {
  return (
    <Section title={t.timeline}>
      <Loaded query={query}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Text c="dimmed">{t.noneYet}</Text>
          ) : (
            <RecordTable
              caption={t.timeline}
              columns={COLUMNS}
              rows={entries}
              keyOf={({ at, kind, record_id, amount_cents }) => `${kind} ${at} ${record_id} ${amount_cents}`}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

function Amount({ entry: { amount_cents, previous_amount_cents, currency } }: { entry: Entry }) {
  if (amount_cents === null || currency === null) return null;
  const amount = formatMoney(amount_cents, currency);
  if (previous_amount_cents === null) return amount;
  return t.changedFrom({ before: formatMoney(previous_amount_cents, currency), now: amount });
}

function What({ entry: { kind, record_id, note } }: { entry: Entry }) {
  const path = pathOf(record_id);
  return (
    <>
      {path === null ? (
        t[kind]
      ) : (
        <Anchor component={Link} to={path}>
          {t[kind]}
        </Anchor>
      )}
      {note !== null && <div>{isCode(note) ? labelOf(note) : note}</div>}
    </>
  );
}

/** True if the note is a reason code of the service, false if a person typed it. */
function isCode(note: string): boolean {
  return /^[a-z]+(_[a-z]+)+$|^(refunded|reattributed|reconsidered)$/.test(note);
}

const ACTORS: Record<string, string> = { visitor: t.visitor, stripe: 'Stripe', report: t.report };

function Actor({ entry: { actor, actor_name } }: { entry: Entry }) {
  if (actor === null) return null;
  if (actor.startsWith('prun_')) {
    return (
      <Anchor component={Link} to={`/payouts/runs/${actor}`}>
        {t.run}
      </Anchor>
    );
  }
  if (actor.startsWith('pexp_')) {
    return (
      <Anchor component={Link} to="/payouts/exports">
        {t.export}
      </Anchor>
    );
  }
  return ACTORS[actor] ?? actor_name ?? actor;
}
