import { Group, NativeSelect, PasswordInput, Radio, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FileButton } from '../components/file-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { t } from '../texts/imports.ts';

type Kind = 'affiliates' | 'links' | 'customers';

interface Values {
  source: 'rewardful' | 'csv';
  credentials: string;
  kind: Kind;
  files: { name: string; kind: Kind; content: string }[];
}

const INITIAL: Values = { source: 'rewardful', credentials: '', kind: 'affiliates', files: [] };

const KINDS: { value: Kind; label: string }[] = [
  { value: 'affiliates', label: t.affiliates },
  { value: 'links', label: t.links },
  { value: 'customers', label: t.customers },
];

/** Begins an import, and opens its page. */
export function BeginImport({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm({ initialValues: INITIAL });
  const create = useMutation(
    trpc.imports.create.mutationOptions({
      gcTime: 0,
      onError: showFieldErrors(form),
      onSuccess: ({ id }) => void navigate(`/settings/imports/${id}`),
    }),
  );
  const { source, kind, files } = form.values;
  return (
    <FormDialog
      title={t.moveIn}
      submit={t.begin}
      progress={create}
      disabled={source === 'csv' && files.length === 0}
      onClose={onClose}
      onSubmit={form.onSubmit(({ credentials }) =>
        create.mutate(source === 'csv' ? { source, files: files.map(({ name: _, ...file }) => file) } : { source, credentials }),
      )}
    >
      <Radio.Group label={t.source} {...form.getInputProps('source')}>
        <Stack gap="xs" mt="xs">
          <Radio value="rewardful" label={t.rewardful} />
          <Radio value="csv" label={t.csvFiles} />
        </Stack>
      </Radio.Group>
      {source === 'rewardful' ? (
        <PasswordInput
          label={t.apiSecret}
          description={t.apiSecretHint}
          required
          maxLength={500}
          autoComplete="off"
          {...form.getInputProps('credentials')}
        />
      ) : (
        <>
          <Group align="end">
            <NativeSelect label={t.kindOfFile} description={t.fileHint} data={KINDS} {...form.getInputProps('kind')} />
            <FileButton
              label={t.addFile}
              accept=".csv,.tsv,.txt,text/csv"
              isBusy={false}
              onChoose={(file) =>
                void file.text().then((content) => form.insertListItem('files', { name: file.name, kind, content }))
              }
            />
          </Group>
          {files.map((file) => (
            <Text key={`${file.name} ${file.kind}`} size="sm">
              {t.fileOf({ name: file.name, kind: KINDS.find(({ value }) => value === file.kind)!.label })}
            </Text>
          ))}
        </>
      )}
    </FormDialog>
  );
}
