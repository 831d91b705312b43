import { Group, NativeSelect, PasswordInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FileButton } from '../components/file-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { t } from '../texts/imports.ts';
import { decodeText } from './decode-text.ts';

type Kind = 'affiliates' | 'links' | 'customers' | 'codes' | 'commissions' | 'payouts';

type Tool = 'rewardful' | 'first_promoter' | 'tolt' | 'dub';

/** The key of each tool, and the id that goes with it. */
const TOOLS: Readonly<Record<Tool, { label: string; hint: string; owner: string | null }>> = {
  rewardful: { label: t.apiSecret, hint: t.apiSecretHint, owner: null },
  first_promoter: { label: t.apiKey, hint: t.apiKeyHint({ tool: t.first_promoter }), owner: t.accountId },
  dub: { label: t.apiKey, hint: t.apiKeyHint({ tool: t.dub }), owner: null },
  tolt: { label: t.apiKey, hint: t.apiKeyHint({ tool: t.tolt }), owner: t.programId },
};

interface Values {
  source: Tool | 'csv';
  credentials: string;
  /** Id of the account or program that the key is for. */
  owner: string;
  /** Of amounts for which the source names none. */
  currency: string;
  kind: Kind;
  files: { name: string; kind: Kind; content: string }[];
}

const INITIAL: Values = { source: 'rewardful', credentials: '', owner: '', currency: '', kind: 'affiliates', files: [] };

const KINDS: { value: Kind; label: string }[] = [
  { value: 'affiliates', label: t.affiliates },
  { value: 'links', label: t.links },
  { value: 'customers', label: t.customers },
  { value: 'codes', label: t.codes },
  { value: 'commissions', label: t.commissions },
  { value: 'payouts', label: t.payouts },
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
  const tool = source === 'csv' ? null : TOOLS[source];
  return (
    <FormDialog
      title={t.moveIn}
      submit={t.begin}
      progress={create}
      disabled={source === 'csv' && files.length === 0}
      onClose={onClose}
      onSubmit={form.onSubmit(({ credentials: key, owner, currency }) =>
        create.mutate({
          source,
          ...(tool === null
            ? { files: files.map(({ name: _, ...file }) => file) }
            : { credentials: tool.owner === null ? key : `${key}:${owner}` }),
          ...(currency !== '' && { currency }),
        }),
      )}
    >
      <Radio.Group label={t.source} {...form.getInputProps('source')}>
        <Stack gap="xs" mt="xs">
          {(Object.keys(TOOLS) as Tool[]).map((each) => (
            <Radio key={each} value={each} label={t[each]} />
          ))}
          <Radio value="csv" label={t.csvFiles} />
        </Stack>
      </Radio.Group>
      {tool !== null ? (
        <>
          <PasswordInput
            label={tool.label}
            description={tool.hint}
            required
            maxLength={400}
            autoComplete="off"
            {...form.getInputProps('credentials')}
          />
          {tool.owner !== null && (
            <TextInput label={tool.owner} required maxLength={90} autoComplete="off" {...form.getInputProps('owner')} />
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
                void file
                  .arrayBuffer()
                  .then((bytes) => form.insertListItem('files', { name: file.name, kind, content: decodeText(bytes) }))
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
      <TextInput label={t.currency} description={t.currencyHint} maxLength={3} {...form.getInputProps('currency')} />
    </FormDialog>
  );
}
