import sprite from './icons.svg';
import classes from './icon.module.css';

/** Names of the symbols in `icons.svg`. */
export type IconName =
  | 'account'
  | 'affiliates'
  | 'analytics'
  | 'back'
  | 'campaigns'
  | 'commissions'
  | 'connectors'
  | 'conversions'
  | 'customers'
  | 'dark'
  | 'details'
  | 'keys'
  | 'light'
  | 'links'
  | 'log'
  | 'mails'
  | 'materials'
  | 'members'
  | 'more'
  | 'overview'
  | 'payouts'
  | 'portal'
  | 'profile'
  | 'search'
  | 'settings'
  | 'stripe'
  | 'tracking'
  | 'webhooks';

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
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
