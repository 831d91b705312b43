import { Code, Stack, Text } from '@mantine/core';
import type { Outputs } from '../api/client.ts';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { t } from '../texts/gaps.ts';

type Gap = NonNullable<Outputs['sales']['get']['missing']>;

/** Says what a payment without a commission lacked, with the lines of code and the settings that would have made it count. */
export function SaleGap({ gap }: { gap: Gap }) {
  return (
    <Stack gap={4} maw={560}>
      <Text size="sm">
        <Explanation gap={gap} />
      </Text>
      {gap.unknown_codes.length > 0 && <Text size="sm">{t.unknownCodes({ codes: gap.unknown_codes.join(', ') })}</Text>}
      {gap.fixes.map(({ kind, text }) => (
        <Text key={text} size="sm" component="div">
          {t[kind]} <Code style={{ overflowWrap: 'anywhere' }}>{text}</Code>
        </Text>
      ))}
    </Stack>
  );
}

function Explanation({ gap: { gap, way, reference, named_at } }: { gap: Gap }) {
  switch (gap) {
    case 'no_reference':
      return t[way];
    case 'unknown_reference':
      return t.unknown_reference({ reference });
    case 'named_later':
      return named_at !== null && <Filled text={t.named_later} values={{ at: <Moment at={named_at} /> }} />;
    default:
      return t[gap];
  }
}
