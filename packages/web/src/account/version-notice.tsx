import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';

/** Shown when the operator knows of a newer version of the service. */
export function VersionNotice() {
  const { data } = useQuery(trpc.installation.get.queryOptions());
  if (!data?.newer_version) return null;
  return (
    <Alert title={`Version ${data.newer_version} is available`} maw={560}>
      This installation runs version {data.version}. Its operator can upgrade it while it is in use.
    </Alert>
  );
}
