import { encode } from 'uqr';
import classes from './qr-code.module.css';

/** A QR code, black on white in either color scheme, so that every camera reads it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className={classes['qr']} shapeRendering="crispEdges">
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
