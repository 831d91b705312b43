import { type Installation, installationsFor } from '@affiliate/core/browser';
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../components/copy-button.tsx';
import { t } from '../texts/connectors.ts';

/** Links that add this service to an assistant, and commands to copy. The assistant then asks for consent in the browser. */
export function AddToAssistant() {
  const installations = installationsFor(`${window.location.origin}/mcp`);
  return (
    <Stack gap="md">
      <Text size="sm">{t.addHint}</Text>
      <Group gap="xs">
        {installations.map(
          (installation) =>
            'link' in installation && (
              <Button key={installation.assistant} component="a" href={installation.link} variant="default">
                {t.addTo({ assistant: installation.assistant })}
              </Button>
            ),
        )}
      </Group>
      {installations.map(
        (installation) => 'text' in installation && <TextToCopy key={installation.assistant} installation={installation} />,
      )}
    </Stack>
  );
}

function TextToCopy({ installation: { assistant, text, file } }: { installation: Extract<Installation, { text: string }> }) {
  const label = file === undefined ? assistant : t.inFile({ assistant, file });
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Group gap="xs" align="start" wrap="nowrap">
        <Code block flex={1} miw={0} tabIndex={0} aria-label={label}>
          {text}
        </Code>
        <CopyButton value={text} size="compact-sm" label={t.copyFor({ assistant })} copiedLabel={t.copiedFor({ assistant })} />
      </Group>
    </Stack>
  );
}
