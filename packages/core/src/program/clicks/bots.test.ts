import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { botReasonOf } from './bots.ts';

const PREVIEWS = [
  'WhatsApp/2.23.20.0 A',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Facebot',
  'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  'Twitterbot/1.0',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Slack-ImgProxy (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'TelegramBot (like TwitterBot)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Pinterest/0.2 (+https://www.pinterest.com/bot.html)',
  'Mozilla/5.0 (compatible; Pinterestbot/1.0; +https://www.pinterest.com/bot.html)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'Mozilla/5.0 (compatible; MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview)',
  'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
  'Tumblr/14.0.835.186',
  'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
  'ViberBot/1.0',
  'facebookexternalhit/1.1;line-poker/1.0',
  'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
  'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
  'Iframely/1.3.1 (+https://iframely.com/docs/about)',
  'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.8; rv:20.0; FlipboardProxy/1.2; +http://flipboard.com/browserproxy)',
  'http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.social/)',
  'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
  'bitlybot/3.0 (+http://bit.ly/)',
  'Quora Link Preview/1.0 (http://www.quora.com)',
  'Mozilla/5.0 (compatible; Yahoo Link Preview; https://help.yahoo.com/kb/mail/yahoo-link-preview-SLN23615.html)',
  'Synapse (bot; +https://github.com/matrix-org/synapse)',
  'NotionEmbedder',
  'Rocket.Chat/6.5',
];

const BOTS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'python-requests/2.31.0 (our crawler)',
  'Scrapy/2.11.0 (+https://scrapy.org)',
  'Go-http-client/2.0 (LinkSpider)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
  '',
  undefined,
];

const PEOPLE = [
  'curl/8.5.0',
  'node',
  'undici',
  'python-requests/2.31.0',
  'PostmanRuntime/7.36.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0',
  'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 309.0.0.18.110 (iPhone15,2; iOS 17_1; de_DE; de; scale=3.00; 1179x2556; 541635890)',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/441.0.0.36.109;FBDV/iPhone15,2;FBSV/17.1]',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36 Line/13.19.0/IAB',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Mobile/15E148 Snapchat/12.61.0.34 (like Safari/8616.2.9.0.2, panda)',
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0 Mobile Safari/537.36 [Pinterest/Android]',
];

describe('a request', () => {
  it.each(PREVIEWS)('with user agent %j comes from a link preview', (userAgent) => {
    expect(botReasonOf(userAgent)).toBe('preview');
  });

  it.each(BOTS)('with user agent %j comes from a bot', (userAgent) => {
    expect(botReasonOf(userAgent)).toBe('bot');
  });

  it.each(PEOPLE)('with user agent %j comes from a person', (userAgent) => {
    expect(botReasonOf(userAgent)).toBeNull();
  });
});

/** Script that prints by how many bytes the used memory grows during 200 requests of 80 kB, which are 16 MB in all. */
const LONG_REQUESTS = `
  import { botReasonOf } from ${JSON.stringify(new URL('bots.ts', import.meta.url))};
  import { clickSourceOf } from ${JSON.stringify(new URL('click-source.ts', import.meta.url))};
  const ask = (nth) => {
    const landing = 'https://shop.example/' + nth + '/' + Buffer.alloc(64_000, 'a');
    const userAgent = 'Mozilla/5.0 (' + nth + ') ' + Buffer.alloc(15_000, 'b');
    const { landing_path } = clickSourceOf({ landing, referrer: null, parameters: '' }, { userAgent });
    if (landing_path.length !== 200 || botReasonOf(userAgent) !== null) throw new Error('misread');
  };
  const used = () => {
    gc();
    return process.memoryUsage().heapUsed;
  };
  ask(0);
  const before = used();
  for (let nth = 1; nth <= 200; nth += 1) ask(nth);
  process.stdout.write(String(used() - before));`;

it('a request with very long headers does not fill the memory', async () => {
  // Runs in a separate process, because garbage collection takes a second in the test process, which has loaded the whole service and its
  // tests.
  const args = ['--expose-gc', '--input-type=module', '--eval', LONG_REQUESTS];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(/^-?\d+$/);
  expect(Number(stdout)).toBeLessThan(1_500_000);
});
