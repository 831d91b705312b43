import { FRAME_HEIGHT, FRAME_PERMISSION, FRAME_TITLE, frameAddress, reportedHeight } from '@affiliate/client/portal-frame';

/**
 * Shows the portal of an affiliate in a frame directly below this script element of a merchant's page. The frame is as high as its content.
 *
 *   <script src="https://affiliates.example.com/embed.js" data-account="acct_…" data-token="pat_…" data-theme="dark"></script>
 */
const script = document.currentScript as HTMLScriptElement;
const { account = '', token = '', theme = '', title = FRAME_TITLE } = script.dataset;
const service = new URL(script.src).origin;
const frame = document.createElement('iframe');
frame.src = frameAddress(service, { account, theme, parent: location.origin, token });
frame.title = title;
frame.allow = FRAME_PERMISSION;
frame.style.cssText = `border:0;width:100%;height:${FRAME_HEIGHT}px;color-scheme:light dark`;
addEventListener('message', (message) => {
  const height = reportedHeight(message, service, frame);
  if (height !== null) frame.style.height = `${height}px`;
});
script.after(frame);
