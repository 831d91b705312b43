import { hash } from 'node:crypto';
import { textColorOn } from '../../identity/branding/brand-color.ts';
import { BRAND_NAME, PORTAL_HOST, portalUrlOf } from '../../identity/branding/branding.ts';
import type { Services } from '../../platform/call/context.ts';
import { notFound } from '../../platform/errors/errors.ts';
import { inLanguage } from '../../platform/mail/in-language.ts';
import type { Language, Texts } from '../../platform/texts/texts.ts';
import { findJoinableCampaign } from '../applications/apply.ts';
import { findPromise, rewardInWords } from '../home/reward.ts';
import { drawPicture } from './picture.ts';

export const CARD_TEXTS = {
  join: {
    title: { en: 'Join {program}', de: 'Partner von {program} werden' },
  },
  portal: {
    title: { en: '{program} affiliate program', de: 'Partnerprogramm von {program}' },
    description: {
      en: 'Your links, earnings and payouts.',
      de: 'Ihre Links, Ihre Provisionen und Ihre Auszahlungen.',
    },
  },
} as const satisfies Texts;

/** Background of the picture of a program without a color. */
const DEFAULT_COLOR = '#1c4ed8';
/** Longest text of a card. Applications with previews show less. */
const MAX_TEXT = 300;
/** Number of pictures that the process keeps, of about 25 KB each. */
const MAX_PICTURES = 100;

/** The preview of a page or link, for applications in which somebody has sent its address, e.g. a chat. */
export interface ProgramCard {
  language: Language;
  program: string;
  title: string;
  description: string;
  url: string;
  /** URL of a PNG in the size of `PICTURE`. */
  picture_url: string;
}

/** Page whose card is asked for: a sign-up page, the portal under a merchant's host, or the destination of a tracked link. */
type Shown =
  | { page: 'join'; account: string; campaign: string; hostAccountId: string | undefined }
  | { page: 'portal'; accountId: string }
  | { page: 'link'; accountId: string; destination: string; url: string };

/**
 * Finds the card of a page or a link, in the language that its reader asks for, otherwise in that of the program's emails
 * (docs/rules/portal.md#link-previews). The card of a tracked link does not mention the reward, because customers see it.
 *
 * @returns null if there is no such program, or no sign-up page of the campaign
 */
export async function findProgramCard(
  services: Services,
  shown: Shown,
  asked: Language | undefined,
): Promise<ProgramCard | null> {
  const program = await findProgram(services, shown.page === 'join' ? { slug: shown.account } : { id: shown.accountId });
  if (!program) return null;
  const language = asked ?? program.mail_language;
  const say = inLanguage(language);
  const card = { language, program: program.name };
  const pages = portalUrlOf(services.publicUrl, program.portal_host);
  if (shown.page === 'portal')
    return {
      ...card,
      title: say(CARD_TEXTS.portal.title, { program: program.name }),
      description: say(CARD_TEXTS.portal.description),
      url: `${pages}/portal`,
      picture_url: pictureUrl(services, program, null),
    };
  if (shown.page === 'link') {
    const { hostname, pathname } = new URL(shown.destination);
    const description = `${hostname.replace(/^www\./, '')}${pathname.replace(/\/$/, '')}`;
    return { ...card, title: program.name, description, url: shown.url, picture_url: pictureUrl(services, program, null) };
  }
  if (shown.hostAccountId !== undefined && shown.hostAccountId !== program.id) return null;
  const campaign = await findJoinableCampaign(services.database.kysely, program.id, shown.campaign);
  if (!campaign) return null;
  const drawn = await drawnFor(services, campaign, language);
  return {
    ...card,
    title: say(CARD_TEXTS.join.title, { program: program.name }),
    description: drawn.description,
    url: `${pages}/join/${program.slug}/${campaign.slug}`,
    picture_url: pictureUrl(services, program, drawn),
  };
}

interface Program {
  id: string;
  name: string;
  slug: string;
  brand_color: string | null;
  portal_host: string | null;
  mail_language: Language;
}

/** The base reward of a campaign, which the picture of a sign-up page shows. The description also has the sentences of its rules. */
interface Drawn {
  slug: string;
  language: Language;
  text: string;
  description: string;
}

type Joinable = NonNullable<Awaited<ReturnType<typeof findJoinableCampaign>>>;

async function drawnFor(services: Services, campaign: Joinable, language: Language): Promise<Drawn> {
  const { rewards, hasExceptions } = await findPromise(services, campaign);
  const text = rewardInWords(campaign, language, hasExceptions).slice(0, MAX_TEXT);
  // Whole sentences only, because half a condition would promise something else.
  const sentences = [text, ...rewards.map((reward) => reward[language])];
  while (sentences.join(' ').length > MAX_TEXT) sentences.pop();
  return { slug: campaign.slug, language, text, description: sentences.join(' ') };
}

function findProgram({ database }: Services, named: { slug: string } | { id: string }): Promise<Program | undefined> {
  return (
    database.kysely
      .selectFrom('account')
      .select(['id', BRAND_NAME.as('name'), 'slug', 'brand_color', PORTAL_HOST.as('portal_host'), 'mail_language'])
      // A former slug of the account works as well.
      .where('id', 'in', (accounts) =>
        'slug' in named
          ? accounts.selectFrom('program_slug').select('account_id').where('slug', '=', named.slug)
          : accounts.selectFrom('account').select('id').where('id', '=', named.id),
      )
      .where('deletion_scheduled_at', 'is', null)
      .executeTakeFirst()
  );
}

function pictureUrl({ publicUrl }: Services, program: Program, drawn: Drawn | null): string {
  const query = drawn === null ? '' : `?campaign=${encodeURIComponent(drawn.slug)}&language=${drawn.language}`;
  return `${publicUrl}/cards/${program.id}/${versionOf(program, drawn)}.png${query}`;
}

const textOf = (drawn: Drawn | null) => drawn?.text ?? '';

/** Returns a text that changes with the picture, so that applications load the new one. */
function versionOf({ name, brand_color }: Program, drawn: Drawn | null): string {
  return hash('sha256', JSON.stringify([name, brand_color, textOf(drawn)])).slice(0, 16);
}

/** Pictures by version. */
const pictures = new Map<string, Buffer>();

/**
 * Draws the picture of a program: its name on its color and, with a campaign, the reward. `is_present` is true if `version` is that of the current
 * picture. Needs no permission, because anybody may get a link.
 *
 * @throws NOT_FOUND
 */
export async function getCardPicture(
  services: Services,
  { accountId, campaign, language, version }: { accountId: string; campaign: string | null; language: Language; version: string },
): Promise<{ content: Buffer; is_present: boolean }> {
  const program = await findProgram(services, { id: accountId });
  const joinable = program && campaign !== null && (await findJoinableCampaign(services.database.kysely, program.id, campaign));
  if (!program || joinable === undefined) throw notFound('picture');
  const drawn = joinable ? await drawnFor(services, joinable, language) : null;
  const current = versionOf(program, drawn);
  const background = program.brand_color ?? DEFAULT_COLOR;
  const kept = pictures.get(current);
  const content = kept ?? (await drawPicture(program.name, textOf(drawn), { background, text: textColorOn(background) }));
  if (!kept) {
    if (pictures.size >= MAX_PICTURES) pictures.clear();
    pictures.set(current, content);
  }
  return { content, is_present: version === current };
}
