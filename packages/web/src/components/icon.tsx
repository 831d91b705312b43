import programIcons from './icons.svg';
import settingsIcons from './settings-icons.svg';
import classes from './icon.module.css';

/** Names of the symbols in `settings-icons.svg`, which only settings pages load. */
const SETTINGS_ICONS = [
  'account',
  'back',
  'connectors',
  'imports',
  'keys',
  'log',
  'mails',
  'members',
  'portal',
  'stripe',
  'tracking',
  'webhooks',
] as const;

/** Names of the symbols in `icons.svg` and `settings-icons.svg`. */
export type IconName =
  | 'affiliates'
  | 'analytics'
  | 'campaigns'
  | 'close'
  | 'commissions'
  | 'conversions'
  | 'customers'
  | 'dark'
  | 'details'
  | 'down'
  | 'download'
  | 'flag'
  | 'light'
  | 'links'
  | 'look'
  | 'materials'
  | 'more'
  | 'overview'
  | 'payouts'
  | 'profile'
  | 'search'
  | 'settings'
  | 'up'
  | 'view'
  | 'void'
  | (typeof SETTINGS_ICONS)[number];

const ofSettings: ReadonlySet<string> = new Set(SETTINGS_ICONS);

/** An icon with its text, which phones leave out to save space. Screen readers read it anyway. */
export function IconAndText({ name, text }: { name: IconName; text: string }) {
  return (
    <span className={classes['labelled']}>
      <Icon name={name} />
      <span className={classes['text']}>{text}</span>
    </span>
  );
}

/** An icon beside a text that says the same, so screen readers skip it. It has the size and the color of the text. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={classes['icon']} aria-hidden>
      <use href={`${ofSettings.has(name) ? settingsIcons : programIcons}#${name}`} />
    </svg>
  );
}
