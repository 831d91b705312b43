import { encode } from 'uqr';
import classes from './qr-code.module.css';

/** A QR code, black on white in either color scheme, so that every camera reads it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = drawingOf(text);
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className={classes['qr']} shapeRendering="crispEdges">
      <path d={path} fill="#000" />
    </svg>
  );
}

function modulesOf(text: string) {
  return encode(text, { ecc: 'M', border: 2 });
}

function drawingOf(text: string): { size: number; path: string } {
  const { data, size } = modulesOf(text);
  return { size, path: data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('') };
}

const SVG = 'http://www.w3.org/2000/svg';

/** Returns the QR code as an SVG file, which can be printed at any size. */
export function qrSvg(text: string): string {
  const { size, path } = drawingOf(text);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', [0, 0, size, size].join(' '));
  svg.setAttribute('shape-rendering', 'crispEdges');
  for (const [d, fill] of [
    [`M0 0h${size}v${size}h-${size}z`, '#fff'],
    [path, '#000'],
  ] as const) {
    const shape = document.createElementNS(SVG, 'path');
    shape.setAttribute('d', d);
    shape.setAttribute('fill', fill);
    svg.append(shape);
  }
  return new XMLSerializer().serializeToString(svg);
}

/** Pixels of a module in a PNG. */
const SCALE = 20;

/** Returns the QR code as a PNG file. */
export function qrPng(text: string): Promise<Blob> {
  const { data, size } = modulesOf(text);
  const canvas = document.createElement('canvas');
  canvas.width = size * SCALE;
  canvas.height = size * SCALE;
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  data.forEach((row, y) => row.forEach((isDark, x) => isDark && context.fillRect(x * SCALE, y * SCALE, SCALE, SCALE)));
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('png'))), 'image/png');
  });
}
