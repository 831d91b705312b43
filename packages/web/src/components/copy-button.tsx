import { Button, type ButtonProps, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { rarePart } from '../on-demand.tsx';
import { t } from '../texts/components.ts';

const CopyByHand = rarePart(async () => (await import('./copy-by-hand.tsx')).CopyByHand);

interface CopyButtonProps extends ButtonProps {
  /** The text to copy. */
  value: string;
  /** Accessible name, which distinguishes the buttons of a page. */
  label?: string;
  /** Accessible name after the text was copied, which is also announced. */
  copiedLabel?: string;
}

/**
 * A button that copies a text to the clipboard, and says so. If the browser does not allow that, e.g. in a frame without the permission, a dialog shows the
 * text selected.
 */
export function CopyButton({ value, label, copiedLabel = t.copied, ...button }: CopyButtonProps) {
  const { copy, copied, error, reset } = useClipboard();
  return (
    <>
      <Button variant="default" flex="none" {...button} onClick={() => copy(value)} aria-label={copied ? copiedLabel : label}>
        {copied ? t.copied : t.copy}
      </Button>
      <VisuallyHidden role="status">{copied ? copiedLabel : ''}</VisuallyHidden>
      {error !== null && <CopyByHand value={value} onClose={reset} />}
    </>
  );
}
