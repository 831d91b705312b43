'use client';

import { type ReactElement, useEffect, useRef, useState } from 'react';
import {
  FRAME_HEIGHT,
  FRAME_PERMISSION,
  FRAME_TITLE,
  type FrameOptions,
  type PortalEvent,
  followView,
  frameAddress,
  portalEvent,
  renewToken,
  sendToken,
} from './portal-frame.ts';

export interface AffiliatePortalProps extends FrameOptions {
  /** Address of the service, e.g. `https://affiliates.example.com`. */
  url: string;
  accountId: string;
  /** Token of `affiliates.createEmbedToken`, which your server requests for the signed-in affiliate. Another token replaces it, and the portal stays open. */
  token: string;
  theme?: 'light' | 'dark';
  /** Name of the frame for screen readers. Default: `Affiliate program`. */
  title?: string;
  /** Returns a new token when the current one has expired. Without it, set `token` to a new one. */
  onExpire?: () => string | Promise<string>;
  /** Called with every event of the portal. */
  onEvent?: (event: PortalEvent) => void;
}

/** Shows the portal of an affiliate, in a frame as high as its content. Renders nothing on a server. */
export function AffiliatePortal({
  url,
  accountId,
  token,
  theme,
  title = FRAME_TITLE,
  onExpire,
  onEvent,
  language,
  font,
  radius,
  page,
  pages,
}: AffiliatePortalProps): ReactElement {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(FRAME_HEIGHT);
  // The frame needs the origin of the page, which a server does not know. A later token does not change its address, which would reload it.
  const [opened, open] = useState<{ parent: string; token: string } | null>(null);
  const service = originOf(url);
  const callbacks = useRef({ onExpire, onEvent });
  useEffect(() => {
    callbacks.current = { onExpire, onEvent };
  });
  useEffect(() => {
    if (opened === null) open({ parent: window.location.origin, token });
    else if (token !== opened.token) sendToken(token, service, frame.current);
  }, [opened, token, service]);
  useEffect(() => {
    let view: ReturnType<typeof followView> | undefined;
    const onMessage = (message: MessageEvent) => {
      const event = portalEvent(message, service, frame.current);
      if (!event) return;
      if (event.type === 'height') {
        setHeight(event.height);
        view?.tell();
      }
      if (event.type === 'ready' && frame.current) view ??= followView(service, frame.current, window);
      if (event.type === 'expired') void renewToken(callbacks.current.onExpire, service, frame.current);
      callbacks.current.onEvent?.(event);
    };
    window.addEventListener('message', onMessage);
    return () => {
      window.removeEventListener('message', onMessage);
      view?.stop();
    };
  }, [service]);
  const style = { border: 0, width: '100%', height, colorScheme: 'light dark' };
  if (opened === null) return <div style={style} />;
  const address = frameAddress(service, {
    account: accountId,
    theme: theme ?? '',
    ...opened,
    options: { language, font, radius, page, pages },
  });
  return <iframe ref={frame} src={address} title={title} allow={FRAME_PERMISSION} style={style} />;
}

function originOf(url: string): string {
  return new URL(url).origin;
}

/** The visitor's referral, as far as it is known. */
export interface Referral {
  /** Id of the referral. Pass it to your checkout and to `tracking.recordSale`. Null without a referral, on a server, and until it is known. */
  id: string | null;
  /** Token in the parameter `via` of the page's address, for your own links. Null if there is none. */
  via: string | null;
}

/** The object of the tracking script `/track.js`, or the queue of calls for it. */
interface TrackingScript {
  ready?: (fn: (referral: string | null) => void) => unknown;
  q?: ((script: Required<Pick<TrackingScript, 'ready'>>) => unknown)[];
}

/** Returns the referral that the tracking script (`/track.js`) found. The page must load the script, before or after this hook runs. */
export function useReferral(): Referral {
  const [referral, setReferral] = useState<Referral>({ id: null, via: null });
  useEffect(() => {
    let isMounted = true;
    const via = new URLSearchParams(window.location.search).get('via');
    const found = (id: string | null) => {
      if (isMounted) setReferral({ id, via });
    };
    setReferral(({ id }) => ({ id, via }));
    const page = window as typeof window & { affiliate?: TrackingScript };
    const script = (page.affiliate ??= {});
    if (script.ready) script.ready(found);
    else (script.q ??= []).push(({ ready }) => ready(found));
    return () => {
      isMounted = false;
    };
  }, []);
  return referral;
}
