import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { t } from '../texts/account.ts';

/** Shows the build that runs, and that there is a newer version of the service if the installation has found one. */
export function VersionNotice() {
  const { data } = useQuery(trpc.installation.get.queryOptions());
  if (!data?.version) return null;
  if (!data.newer_version)
    return (
      <Text size="sm" c="dimmed">
        {t.runningVersion({ version: data.version })}
      </Text>
    );
  return (
    <Alert title={t.versionIsAvailable({ newerVersion: data.newer_version })} maw={560}>
      {t.newerVersion({ version: data.version })}
    </Alert>
  );
}
