/**
 * The frame that shows an affiliate's portal on a merchant's page. The loader `/embed.js` and the React component of the SDK share this module, which
 * their builds copy.
 */

/** Height of the frame in pixels until its page reports its own. */
export const FRAME_HEIGHT = 600;
/** Name of the frame for screen readers. */
export const FRAME_TITLE = 'Affiliate program';
/** Rights of the page in the frame beside its own. */
export const FRAME_PERMISSION = 'clipboard-write';
const MAX_HEIGHT = 20_000;

/** The affiliate whose portal is shown, and how. */
export interface Shown {
  account: string;
  token: string;
  /** `light`, `dark`, or empty for the scheme of the browser. */
  theme: string;
  /** Origin of the page that contains the frame. */
  parent: string;
}

/** Returns the address of the frame. */
export function frameAddress(service: string, { token, ...shown }: Shown): string {
  return `${service}/embed?${new URLSearchParams({ ...shown }).toString()}#token=${encodeURIComponent(token)}`;
}

/** The parts of a `MessageEvent` that are compared. */
interface Message {
  origin: string;
  source: unknown;
  data: unknown;
}

/** Returns the height that the page in the frame reports, or null for any other message. */
export function reportedHeight(
  { origin, source, data }: Message,
  service: string,
  frame: { contentWindow: unknown } | null,
): number | null {
  const { type, height } = (data ?? {}) as { type?: unknown; height?: unknown };
  if (origin !== service || source !== frame?.contentWindow || type !== 'affiliate-portal:height') return null;
  const wanted = Math.ceil(Number(height));
  return wanted > 0 && wanted < MAX_HEIGHT ? wanted : null;
}
