import { Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { uploadAsset } from '../api/upload-file.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { Failure } from '../components/failure.tsx';
import { FileButton } from '../components/file-button.tsx';
import { fileSize } from '../components/file-size.ts';
import { notify } from '../components/notices.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { t } from '../texts/portal-settings.ts';

type Asset = Outputs['assets']['list']['data'][number];

const COLUMNS: Column<Asset>[] = [
  { header: t.file, cell: ({ name }) => name },
  { header: t.size, numeric: true, cell: ({ size_bytes }) => fileSize(size_bytes) },
  { header: t.actions, cell: (asset) => <DeleteAsset asset={asset} /> },
];

/** Manages the files that affiliates can download. */
export function AssetsPanel() {
  const assets = useQuery(trpc.assets.list.queryOptions({ limit: 50 }));
  const upload = useMutation({ mutationFn: uploadAsset, onSuccess: ({ name }) => notify(t.assetAdded({ name })) });
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t.assetsExplained}
      </Text>
      {assets.data && assets.data.data.length > 0 && (
        <RecordTable caption={t.assets} columns={COLUMNS} rows={assets.data.data} keyOf={({ id }) => id} />
      )}
      {assets.isError && <Failure error={assets.error} retry={() => void assets.refetch()} />}
      {upload.isError && <Failure error={upload.error} />}
      <Group>
        <FileButton label={t.addAsset} isBusy={upload.isPending} onChoose={upload.mutate} />
      </Group>
    </Stack>
  );
}

function DeleteAsset({ asset: { id, name } }: { asset: Asset }) {
  const remove = useMutation(trpc.assets.delete.mutationOptions({ onSuccess: () => notify(t.assetDeleted({ name })) }));
  return (
    <ConfirmedButton
      action={t.delete}
      subject={name}
      consequence={t.deleteConsequence}
      mutation={remove}
      run={() => remove.mutateAsync({ id })}
      dangerous
    />
  );
}
