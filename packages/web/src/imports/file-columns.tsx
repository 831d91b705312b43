import { type CsvKind, fieldOf, fieldsOf, firstLines, type LocalFile, piecesOf } from '@affiliate/core/browser';
import { Fieldset, Group, NativeSelect, SimpleGrid, Text } from '@mantine/core';
import { columns as labels, t } from '../texts/imports.ts';

/** A file that a person has chosen, and how its text is read. */
export interface ChosenFile {
  name: string;
  kind: CsvKind;
  source: LocalFile;
  /** Headers of the columns, and the first value of each. */
  headers: readonly string[];
  samples: readonly string[];
  /** Fields by header. An empty one is not imported. */
  fields: Readonly<Record<string, string>>;
  dateOrder: '' | 'day_first' | 'month_first';
  decimalMark: '' | '.' | ',';
}

/** Looks at the first lines of a file, and guesses its columns. Throws NotText. */
export async function chosenFile(file: File, kind: CsvKind): Promise<ChosenFile> {
  const source: LocalFile = {
    size: file.size,
    read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
  };
  const first = await piecesOf(source).next();
  const [headers = [], samples = []] = firstLines(first.value?.content ?? '', 2);
  const fields = Object.fromEntries(headers.map((header) => [header, fieldOf(kind, header, {}) ?? '']));
  return { name: file.name, kind, source, headers, samples, fields, dateOrder: '', decimalMark: '' };
}

/** Returns a chosen file as the service needs to know it. */
export function describedFile({ kind, fields, dateOrder, decimalMark }: ChosenFile) {
  return {
    kind,
    columns: fields,
    ...(dateOrder !== '' && { date_order: dateOrder }),
    ...(decimalMark !== '' && { decimal_mark: decimalMark }),
  };
}

/** Lets a person say which field each column has, and how days and amounts are written. */
export function FileColumns({
  file,
  label,
  onChange,
}: {
  file: ChosenFile;
  label: string;
  onChange: (file: ChosenFile) => void;
}) {
  const { headers, samples, fields, kind } = file;
  const options = [
    { value: '', label: t.notImported },
    ...fieldsOf(kind).map((value) => ({ value, label: labels[value as keyof typeof labels] })),
  ];
  return (
    <Fieldset legend={label}>
      <Text size="sm" c="dimmed">
        {t.columnsHint}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {headers.map((header, i) => (
          <NativeSelect
            key={header}
            label={header}
            description={samples[i]}
            data={options}
            value={fields[header]}
            onChange={({ currentTarget }) => onChange({ ...file, fields: { ...fields, [header]: currentTarget.value } })}
          />
        ))}
      </SimpleGrid>
      <Group mt="xs">
        <NativeSelect
          label={t.dates}
          data={[
            { value: '', label: t.asWritten },
            { value: 'day_first', label: t.dayFirst },
            { value: 'month_first', label: t.monthFirst },
          ]}
          value={file.dateOrder}
          onChange={({ currentTarget }) => onChange({ ...file, dateOrder: currentTarget.value as ChosenFile['dateOrder'] })}
        />
        <NativeSelect
          label={t.amounts}
          data={[
            { value: '', label: t.asWritten },
            { value: '.', label: '1,234.50' },
            { value: ',', label: '1.234,50' },
          ]}
          value={file.decimalMark}
          onChange={({ currentTarget }) => onChange({ ...file, decimalMark: currentTarget.value as ChosenFile['decimalMark'] })}
        />
      </Group>
    </Fieldset>
  );
}
