import { CSV_KINDS, type CsvKind, NotText, piecesOf, type ToolKind, TOOLS } from '@affiliate/core/browser';
import { Group, NativeSelect, PasswordInput, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { client } from '../api/client.ts';
import { serviceErrorOf } from '../api/service-error.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FileButton } from '../components/file-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { t } from '../texts/imports.ts';
import { type ChosenFile, chosenFile, describedFile, FileColumns } from './file-columns.tsx';

/** Labels of the second part of a tool's key. */
const SECOND_PARTS = { account_id: t.accountId, program_id: t.programId, secret_key: t.secretKey } as const;

interface Values {
  source: ToolKind | 'csv';
  credentials: string;
  secondPart: string;
  /** Of amounts for which the source names none. */
  currency: string;
  kind: CsvKind;
  files: ChosenFile[];
}

const INITIAL: Values = { source: 'rewardful', credentials: '', secondPart: '', currency: '', kind: 'affiliates', files: [] };

const KINDS = CSV_KINDS.map((value) => ({ value, label: t[value] }));

/** Begins an import, and returns its id. Files are sent in parts, from where they were cut off if the connection breaks. */
async function begin({ source, credentials, secondPart, currency, files }: Values): Promise<string> {
  const choices = { source, ...(currency !== '' && { currency }) };
  if (source !== 'csv') {
    const key = TOOLS[source].secondPart === null ? credentials : `${credentials}:${secondPart}`;
    return (await client.imports.create.mutate({ ...choices, credentials: key })).id;
  }
  const { id } = await client.imports.create.mutate({ ...choices, draft: true, files: files.map(describedFile) });
  for (const [file, { source: local }] of files.entries())
    for await (const piece of piecesOf(local)) await repeated(() => client.imports.addPart.mutate({ id, file, ...piece }));
  await client.imports.run.mutate({ id });
  return id;
}

const ATTEMPTS = 4;

/** A part that has arrived already changes nothing, so a part whose answer was lost is sent again. */
async function repeated(send: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await send();
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || serviceErrorOf(error).code !== null) throw error;
    }
}

/** Begins an import, and opens its page. */
export function BeginImport({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm({ initialValues: INITIAL });
  const create = useMutation({
    mutationFn: begin,
    gcTime: 0,
    onError: showFieldErrors(form),
    onSuccess: (id) => void navigate(`/settings/imports/${id}`),
  });
  const { source, kind, files } = form.values;
  const tool = source === 'csv' ? null : TOOLS[source];
  const SecondPart = tool?.secondPart === 'secret_key' ? PasswordInput : TextInput;
  return (
    <FormDialog
      title={t.moveIn}
      submit={t.begin}
      progress={create}
      disabled={source === 'csv' && files.length === 0}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
    >
      <Radio.Group label={t.source} {...form.getInputProps('source')}>
        <Stack gap="xs" mt="xs">
          {Object.entries(TOOLS).map(([each, { name }]) => (
            <Radio key={each} value={each} label={name} />
          ))}
          <Radio value="csv" label={t.csvFiles} />
        </Stack>
      </Radio.Group>
      {tool !== null ? (
        <>
          <PasswordInput
            label={t.apiKey}
            description={t.apiKeyHint({ tool: tool.name })}
            required
            maxLength={400}
            autoComplete="off"
            {...form.getInputProps('credentials')}
          />
          {tool.secondPart !== null && (
            <SecondPart
              label={SECOND_PARTS[tool.secondPart]}
              required
              maxLength={90}
              autoComplete="off"
              {...form.getInputProps('secondPart')}
            />
          )}
        </>
      ) : (
        <>
          <Group align="end">
            <NativeSelect label={t.kindOfFile} description={t.fileHint} data={KINDS} {...form.getInputProps('kind')} />
            <FileButton
              label={t.addFile}
              accept=".csv,.tsv,.txt,text/csv"
              isBusy={false}
              onChoose={(file) =>
                void chosenFile(file, kind)
                  .then((chosen) => form.insertListItem('files', chosen))
                  .catch((error: unknown) => form.setFieldError('kind', error instanceof NotText ? t.notText : t.fileChanged))
              }
            />
          </Group>
          {files.map((file, i) => (
            <FileColumns
              key={`${file.name} ${file.kind}`}
              file={file}
              label={t.fileOf({ name: file.name, kind: t[file.kind] })}
              onChange={(changed) => form.replaceListItem('files', i, changed)}
            />
          ))}
        </>
      )}
      <TextInput label={t.currency} description={t.currencyHint} maxLength={3} {...form.getInputProps('currency')} />
    </FormDialog>
  );
}
