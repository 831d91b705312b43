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

/** How the portal looks in the frame, and what it shows. */
export interface FrameOptions {
  /** Language of the portal. Default: that of the reader. */
  language?: 'en' | 'de' | undefined;
  /** Fonts, as in `font-family`. The reader’s device must have them. */
  font?: string | undefined;
  /** Radius of buttons, fields and panels in pixels, at most 24. */
  radius?: number | undefined;
  /** Page that is shown first: `home`, `figures`, `links`, `materials`, `conversions`, `commissions`, `payouts`, `payout-details` or `profile`. */
  page?: string | undefined;
  /** Pages in the navigation. Default: all. */
  pages?: readonly string[] | undefined;
}

/** The affiliate whose portal is shown, and how. */
export interface Shown {
  account: string;
  token: string;
  /** `light`, `dark`, or empty for the scheme of the browser. */
  theme: string;
  /** Origin of the page that contains the frame. */
  parent: string;
  options?: FrameOptions;
}

/** Returns the address of the frame. */
export function frameAddress(service: string, { token, options = {}, ...shown }: Shown): string {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const query = new URLSearchParams({ ...shown, ...(Object.fromEntries(given) as Record<string, string>) });
  return `${service}/embed?${query.toString()}#token=${encodeURIComponent(token)}`;
}

/** The parts of a `MessageEvent` that are compared. */
interface Message {
  origin: string;
  source: unknown;
  data: unknown;
}

/** Beginning of the types of messages between the page and the frame. */
const PREFIX = 'affiliate-portal:';

/**
 * A message of the page in the frame. `ready`: the portal is shown; `expired`: it needs a new token (`sendToken`), and waits some seconds for it;
 * `height`: its content has another height, in pixels; `joined`: the affiliate has accepted the terms; `navigated`: another page of the portal is shown.
 */
export type PortalEvent =
  | { type: 'ready' | 'expired' | 'joined' }
  | { type: 'height'; height: number }
  | { type: 'navigated'; path: string };

type Framed = { contentWindow: unknown } | null;

/** Returns the event that the page in the frame tells, or null for any other message. */
export function portalEvent({ origin, source, data }: Message, service: string, frame: Framed): PortalEvent | null {
  const { type, ...rest } = (data ?? {}) as { type?: unknown; height?: unknown; path?: unknown };
  if (origin !== service || source !== frame?.contentWindow || typeof type !== 'string' || !type.startsWith(PREFIX)) return null;
  const name = type.slice(PREFIX.length);
  if (name === 'ready' || name === 'expired' || name === 'joined') return { type: name };
  if (name === 'navigated' && typeof rest.path === 'string') return { type: name, path: rest.path };
  const height = Math.ceil(Number(rest.height));
  return name === 'height' && height > 0 && height < MAX_HEIGHT ? { type: name, height } : null;
}

interface Receiver {
  contentWindow: { postMessage(message: unknown, targetOrigin: string): void } | null;
}

/** Gives the page in the frame a token, which replaces the one that it has. What the affiliate has typed stays. */
export function sendToken(token: string, service: string, frame: Receiver | null): void {
  frame?.contentWindow?.postMessage({ type: `${PREFIX}token`, token }, service);
}

/** Gives the page in the frame the token that `onExpire` returns. If it fails, the page in the frame offers to try again. */
export async function renewToken(
  onExpire: (() => string | Promise<string>) | undefined,
  service: string,
  frame: Receiver | null,
): Promise<void> {
  const token = await onExpire?.();
  if (token) sendToken(token, service, frame);
}

/** The parts of an `iframe` element that are measured. */
interface Measured extends Receiver {
  getBoundingClientRect(): { bottom: number; height: number };
}

/** The parts of the window around the frame that are used. */
interface Around {
  innerHeight: number;
  requestAnimationFrame(call: () => void): unknown;
  addEventListener(type: 'scroll' | 'resize', listener: () => void, options: { capture: true; passive: true }): void;
  removeEventListener(type: 'scroll' | 'resize', listener: () => void, options: { capture: true }): void;
}

/** Part of the frame in pixels, from its upper edge, in which the navigation of a phone is never placed. */
const KEPT_HEIGHT = 160;

/**
 * Tells the page in the frame, now and whenever it changes, how many pixels of the frame are below the visible part, so that the navigation of a phone stays in
 * sight. Call it after `ready`: before, the frame may not have its page.
 *
 * @returns a function that tells this once more, e.g. after the frame has got another height, and one that ends it
 */
export function followView(service: string, frame: Measured, page: Around): { tell: () => void; stop: () => void } {
  let isWaiting = false;
  const tell = () => {
    if (isWaiting) return;
    isWaiting = true;
    page.requestAnimationFrame(() => {
      isWaiting = false;
      const { bottom, height } = frame.getBoundingClientRect();
      const below = Math.round(Math.max(0, Math.min(bottom - page.innerHeight, height - KEPT_HEIGHT)));
      frame.contentWindow?.postMessage({ type: `${PREFIX}view`, below }, service);
    });
  };
  // Captured, because the frame may be in an element that scrolls by itself.
  for (const type of ['scroll', 'resize'] as const) page.addEventListener(type, tell, { capture: true, passive: true });
  tell();
  return {
    tell,
    stop: () => {
      for (const type of ['scroll', 'resize'] as const) page.removeEventListener(type, tell, { capture: true });
    },
  };
}
