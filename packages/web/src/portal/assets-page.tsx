import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { fileSize } from '../components/file-size.ts';
import { Page } from '../components/page.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { t } from '../texts/portal-pages.ts';
import { t as common } from '../texts/portal.ts';
import { DownloadButton } from './download-button.tsx';
import { PortalData } from './portal-data.tsx';

type Asset = Outputs['portal']['listAssets']['data'][number];

const COLUMNS: Column<Asset>[] = [
  {
    header: t.file,
    cell: ({ name, description }) => (
      <>
        {name}
        {description !== null && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </>
    ),
  },
  { header: t.size, numeric: true, cell: ({ size_bytes }) => fileSize(size_bytes) },
  { header: t.download, cell: (asset) => <Download asset={asset} /> },
];

/** Lists the files that the merchant offers to affiliates. */
export function AssetsPage() {
  const assets = useQuery(trpc.portal.listAssets.queryOptions());
  return (
    <PortalData query={assets}>
      {({ data }) => (
        <Page title={common.assets} description={t.assetsExplained}>
          {data.length === 0 ? (
            <Text c="dimmed">{t.noAssets}</Text>
          ) : (
            <RecordTable caption={common.assets} columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
          )}
        </Page>
      )}
    </PortalData>
  );
}

function Download({ asset: { id, name } }: { asset: Asset }) {
  const queryClient = useQueryClient();
  // The browser itself downloads the file from the address, which is valid for a few minutes.
  const load = async () => {
    const { download_url } = await queryClient.fetchQuery(trpc.portal.getAsset.queryOptions({ id }, { gcTime: 0 }));
    return download_url;
  };
  return <DownloadButton text={t.download} label={t.downloadOf({ name })} load={load} />;
}
