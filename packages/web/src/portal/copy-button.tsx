import { CopyButton } from '../components/copy-button.tsx';
import { t } from '../texts/portal.ts';

/** A button that copies a link to the clipboard. Its label confirms the copy. */
export function CopyLink({ url, token, primary = false }: { url: string; token: string; primary?: boolean }) {
  return (
    <CopyButton
      value={url}
      size="compact-md"
      fz="sm"
      variant={primary ? 'filled' : 'default'}
      label={t.copyLink({ token })}
      copiedLabel={t.copiedLink({ token })}
    />
  );
}
