import {
  FRAME_HEIGHT,
  FRAME_PERMISSION,
  FRAME_TITLE,
  type FrameOptions,
  followView,
  frameAddress,
  portalEvent,
  renewToken,
  sendToken,
} from '@affiliate/client/portal-frame';

/**
 * Shows the portal of an affiliate in a frame directly below this script element of a merchant's page. The frame is as high as its content.
 *
 *   <script src="https://affiliates.example.com/embed.js" data-account="acct_…" data-token="pat_…" data-theme="dark"></script>
 *
 * The page may define `affiliatePortal.onExpire`, which returns a new token, before this script or later. The script adds `affiliatePortal.setToken`. Events of the
 * portal are dispatched at the frame as `affiliate-portal` with the event in `detail`, and bubble.
 */
interface Host {
  onExpire?: () => string | Promise<string>;
  setToken?: (token: string) => void;
}

const script = document.currentScript as HTMLScriptElement;
const { account = '', token = '', theme = '', title = FRAME_TITLE, language, font, radius, page: first, pages } = script.dataset;
const service = new URL(script.src).origin;
const frame = document.createElement('iframe');
const page = window as typeof window & { affiliatePortal?: Host };
const host = (page.affiliatePortal ??= {});
const setToken = (next: string) => sendToken(next, service, frame);
host.setToken = setToken;
frame.src = frameAddress(service, {
  account,
  theme,
  parent: location.origin,
  token,
  options: {
    language: language as FrameOptions['language'],
    font,
    radius: radius === undefined ? undefined : Number(radius),
    page: first,
    pages: pages?.split(','),
  },
});
frame.title = title;
frame.allow = FRAME_PERMISSION;
frame.style.cssText = `border:0;width:100%;height:${FRAME_HEIGHT}px;color-scheme:light dark`;
let view: ReturnType<typeof followView> | undefined;
addEventListener('message', (message) => {
  const event = portalEvent(message, service, frame);
  if (!event) return;
  if (event.type === 'height') {
    frame.style.height = `${event.height}px`;
    view?.tell();
  }
  if (event.type === 'ready') view ??= followView(service, frame, window);
  if (event.type === 'expired') void renewToken(host.onExpire, service, frame);
  frame.dispatchEvent(new CustomEvent('affiliate-portal', { detail: event, bubbles: true }));
});
script.after(frame);
