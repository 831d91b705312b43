/** Each component in each of its states, for people who change the pages. Only the development server shows it: `/gallery/`. */
import '../src/styles.ts';
import {
  Alert,
  Button,
  Checkbox,
  Group,
  MantineProvider,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { AffiliateLink } from '../src/components/affiliate-link.tsx';
import { Answer } from '../src/components/answer.tsx';
import { Branded, CellNote, RowActions, RowButton, RowCheckbox } from '../src/components/cells.tsx';
import { Chart } from '../src/components/chart.tsx';
import { EmptyState } from '../src/components/empty-state.tsx';
import { Failure } from '../src/components/failure.tsx';
import { FigureTile } from '../src/components/figure-tile.tsx';
import { Loading } from '../src/components/loading.tsx';
import { Money } from '../src/components/money.tsx';
import { MoreActions } from '../src/components/more-actions.tsx';
import { Panel } from '../src/components/panel.tsx';
import { type Column, RecordTable } from '../src/components/record-table.tsx';
import { SaveRow } from '../src/components/save-row.tsx';
import { SectionLinks } from '../src/components/section-links.tsx';
import { StateBadge } from '../src/components/state-badge.tsx';
import { TileMoney, TileNumber } from '../src/components/tile-figure.tsx';
import { Facts } from '../src/records/facts.tsx';
import { cssVariables, theme } from '../src/theme.ts';

const PEOPLE = [
  { id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3', email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', cents: 123_450 },
  {
    id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2d7',
    email: 'a-very-long-address@partner.example',
    first_name: null,
    last_name: null,
    cents: -5_000,
  },
];
const STATES = ['active', 'due', 'pending', 'suspicious', 'failed', 'voided'];
const DAYS = Array.from({ length: 14 }, (_, day) => ({ short: `${day + 1} Nov`, long: `${day + 1} November 2026` }));
const NOW = DAYS.map((_, day) => 2_000 + ((day * 977) % 3_000));
const BEFORE = DAYS.map((_, day) => 1_500 + ((day * 613) % 2_500));
const IDLE = { error: null, isError: false, isSuccess: false, isPending: false } as const;
const nothing = () => undefined;

const COLUMNS: Column<(typeof PEOPLE)[number]>[] = [
  { header: 'Select', cell: ({ email }) => <RowCheckbox label={`Select ${email}`} checked onChange={nothing} /> },
  { header: 'Affiliate', sort: 'email', cell: (person) => <AffiliateLink id={person.id} affiliate={person} /> },
  {
    header: 'Amount',
    numeric: true,
    cell: ({ cents }) => (
      <>
        <Money cents={cents} currency="USD" />
        <CellNote>By hand: a talk</CellNote>
      </>
    ),
  },
  { header: 'State', cell: ({ cents }) => <StateBadge state={cents > 0 ? 'due' : 'pending'} /> },
  {
    header: 'Actions',
    cell: ({ email }) => (
      <RowActions>
        <RowButton look="primary" action="Approve" label={`Approve: ${email}`} onClick={nothing} />
        <RowButton icon="flag" action="Flag" label={`Flag: ${email}`} onClick={nothing} />
        <RowButton look="dangerous" action="Void" label={`Void: ${email}`} onClick={nothing} />
        <RowButton isBusy action="Busy" label={`Busy: ${email}`} onClick={nothing} />
      </RowActions>
    ),
  },
];

function Gallery() {
  return (
    <Stack component="main" p="lg" gap="lg">
      <Title order={1} size="h2">
        Gallery
      </Title>
      <Panel title="Buttons">
        <Group>
          <Button>Main act</Button>
          <Button variant="default">Another act</Button>
          <Button loading>Busy</Button>
          <Button disabled>Not possible</Button>
          <Button color="red.9">Dangerous</Button>
          <Button size="compact-sm" variant="subtle">
            Quiet
          </Button>
          <MoreActions>
            <Button variant="default">Rarer act</Button>
          </MoreActions>
        </Group>
      </Panel>
      <Panel title="States">
        <Group>
          {STATES.map((state) => (
            <StateBadge key={state} state={state} />
          ))}
        </Group>
      </Panel>
      <SimpleGrid component="dl" cols={{ base: 2, lg: 4 }} m={0} aria-label="Figures">
        <FigureTile label="Short" value={<TileMoney cents={420} currency="USD" />} />
        <FigureTile label="Long" value={<TileMoney cents={123_456_789_012} currency="USD" />} />
        <FigureTile label="Count" value={<TileNumber value={1_234} />} />
        <FigureTile label="Unknown" value="–" />
      </SimpleGrid>
      <Answer cents={420} currency="USD" state="due">
        <Text>The campaign pays 30% of US$14.00: US$4.20.</Text>
      </Answer>
      <Facts
        label="Facts"
        facts={[
          ['Customer', 'grace@example.com'],
          ['ID', 'comm_01k9v7m3q8e2t4r6w8y0a1b2c3'],
          ['Empty', null],
        ]}
      />
      <SectionLinks
        label="Sections"
        sections={[
          { path: '/', label: 'Current' },
          { path: '/other', label: 'Other' },
        ]}
      />
      <Panel title="Table">
        <RecordTable
          caption="Table"
          columns={COLUMNS}
          rows={PEOPLE}
          keyOf={({ id }) => id}
          sorting={{ sort: '-email', choose: nothing }}
          looking={{ at: null, show: nothing }}
        />
      </Panel>
      <Panel title="Curve and the period before">
        <Chart
          kind="area"
          points={DAYS}
          series={[
            { label: 'Sales', color: 'indigo.5', values: NOW },
            { label: 'Period before', color: 'gray.6', isDashed: true, values: BEFORE },
          ]}
          axisWidth={48}
          formatAxis={String}
          format={String}
        />
      </Panel>
      <Panel title="Bars">
        <Chart
          kind="bars"
          points={DAYS}
          series={[
            { label: 'Clicks', color: 'indigo.5', values: NOW },
            { label: 'Conversions', color: 'teal.6', values: BEFORE },
          ]}
          axisWidth={48}
          formatAxis={String}
          format={String}
        />
      </Panel>
      <Panel title="Form">
        <Stack maw={560}>
          <TextInput label="Filled" description="What it is for." defaultValue="Ada" />
          <TextInput label="Required" required />
          <TextInput label="Refused" defaultValue="twelve" error="Enter an amount in USD, e.g. 12.50." />
          <TextInput label="Not possible" disabled defaultValue="Ada" />
          <NativeSelect label="Choice" data={['One', 'Two']} />
          <Checkbox label="Consent" defaultChecked />
          <SaveRow save={IDLE} saysSaved />
          <SaveRow save={{ ...IDLE, isSuccess: true }} saysSaved />
          <SaveRow save={{ ...IDLE, isPending: true }} />
          <SaveRow save={{ ...IDLE, isError: true, error: new Error('offline') }} />
        </Stack>
      </Panel>
      <Alert color="yellow" title="What needs attention">
        And what to do about it.
      </Alert>
      <Failure error={new Error('offline')} retry={nothing} />
      {/* Closed, because tests wait until nothing is loading. */}
      <details>
        <summary>Loading</summary>
        <Loading />
      </details>
      <Panel title="Services">
        <Group>
          {['PayPal', 'Wise', 'Stripe', 'Paddle', 'Bank transfer (SEPA)'].map((name) => (
            <Branded key={name} kind={name.toLowerCase()} name={name} />
          ))}
        </Group>
      </Panel>
      <EmptyState picture="commissions" title="No commissions" action={<Button>Connect Stripe</Button>}>
        Referred sales create commissions.
      </EmptyState>
    </Stack>
  );
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <MemoryRouter>
        <Gallery />
      </MemoryRouter>
    </MantineProvider>
  </StrictMode>,
);
