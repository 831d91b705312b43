import { Button, CopyButton } from '@mantine/core';

/** Copies a link to the clipboard, and says so. */
export function CopyLink({ url, token, primary }: { url: string; token: string; primary?: boolean }) {
  return (
    <CopyButton value={url}>
      {({ copied, copy }) => (
        <Button
          size="compact-md"
          {...(primary ? {} : { variant: 'default' })}
          onClick={copy}
          aria-label={`${copied ? 'Copied' : 'Copy'} link: ${token}`}
          aria-live="polite"
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  );
}
