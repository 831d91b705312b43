import { texts } from '../catalogue.ts';

export const t = texts('install', {
  bot: 'Bot, not counted',
  browser: 'Browser',
  copied: 'Copied',
  copy: 'Copy',
  from: 'From',
  landing: 'Landing page',
  link: 'Link',
  noVisits: 'No visits yet. Follow one of your tracked links: it appears here within seconds.',
  preview: 'Link preview, not counted',
  recent: 'Last visits',
  recentExplained: 'The last 50 visits of this week, as they arrive.',
  script: 'Tracking script',
  scriptExplained:
    'Paste this into the head of every page of your site. It remembers who sent a visitor, so that the sale counts for them.',
  snippet: 'Snippet',
  title: 'Tracking',
  titleExplained: 'Install the script on your site, and watch visits arrive.',
  visit: 'Visit',
  when: 'When',
  without: 'Direct',
});
