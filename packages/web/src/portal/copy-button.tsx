import { Button, CopyButton } from '@mantine/core';
import { t } from '../texts/portal.ts';

/** A button that copies a link to the clipboard. Its label confirms the copy. */
export function CopyLink({ url, token, primary }: { url: string; token: string; primary?: boolean }) {
  return (
    <CopyButton value={url}>
      {({ copied, copy }) => (
        <Button
          size="compact-md"
          fz="sm"
          flex="none"
          {...(primary ? {} : { variant: 'default' })}
          onClick={copy}
          aria-label={copied ? t.copiedLink({ token }) : t.copyLink({ token })}
          aria-live="polite"
        >
          {copied ? t.copied : t.copy}
        </Button>
      )}
    </CopyButton>
  );
}
