/**
 * Shows the portal of an affiliate in a frame directly below this script element of a merchant's page. The frame is as high as its content.
 *
 *   <script src="https://affiliates.example.com/embed.js" data-account="acct_…" data-token="pat_…" data-theme="dark"></script>
 */
const script = document.currentScript as HTMLScriptElement;
const { account = '', token = '', theme = '', title = 'Affiliate program' } = script.dataset;
const service = new URL(script.src).origin;
const frame = document.createElement('iframe');
frame.src = `${service}/embed?${new URLSearchParams({ account, theme, parent: location.origin })}#token=${encodeURIComponent(token)}`;
frame.title = title;
frame.allow = 'clipboard-write';
frame.style.cssText = 'border:0;width:100%;height:600px;color-scheme:light dark';
addEventListener('message', ({ origin, source, data }: MessageEvent<{ type?: unknown; height?: unknown } | null>) => {
  if (origin !== service || source !== frame.contentWindow || data?.type !== 'affiliate-portal:height') return;
  const height = Number(data.height);
  if (height > 0 && height < 20_000) frame.style.height = `${Math.ceil(height)}px`;
});
script.after(frame);
