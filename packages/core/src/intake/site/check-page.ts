/** A page of a merchant's site, after redirects. */
export interface SitePage {
  /** Address of the final page. */
  url: string;
  /** Content-Security-Policy headers, one per policy. */
  policies: readonly string[];
  /** The first megabyte, as UTF-8. */
  html: string;
}

/**
 * `refused`: the host has a private address. `unreachable`: the host has no address, or did not answer in time. `error_page`: the host
 * answered with an HTTP error.
 */
export const PAGE_FAILURES = ['invalid_url', 'refused', 'unreachable', 'too_many_redirects', 'error_page', 'not_html'] as const;
type PageFailure = (typeof PAGE_FAILURES)[number];

/** Reads a public page, within limits of time and size. This is a port, because the domain does no I/O of its own. */
export type ReadPage = (url: string) => Promise<SitePage | PageFailure>;

declare module '../../platform/call/context.ts' {
  interface Services {
    readPage: ReadPage;
  }
}

/** Problems with the tracking script on a page. */
export const SCRIPT_PROBLEMS = [
  'missing',
  'no_account',
  'wrong_account',
  'other_host',
  'missing_params',
  'blocked_script',
  'blocked_reports',
] as const;
export type ScriptProblem = (typeof SCRIPT_PROBLEMS)[number];

/** The tracking script that was found on a page. */
export interface FoundScript {
  src: string;
  /** Value of `data-account`. */
  account_id: string | null;
}

const TAG_START = /<(script|meta)(?=[\s/>])/gi;
const TAG_REST = /((?:"[^"]*"|'[^']*'|[^'">])*)>/y;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
/** Matches the paths of the script: with or without a version, served directly or through the merchant's proxy. */
const SCRIPT_PATH = /^(?:\/_aff)?\/track(?:\.[0-9a-f]{12})?\.js$/;

/**
 * Finds the tracking script in a page, and the problems that keep it from working: the script is missing, names no account or another
 * account, comes neither from the service nor from the page's own `/_aff/`, does not name the parameters of the campaigns' links (`params`), or a
 * content security policy blocks the script or its reports.
 */
export function checkPage(
  { url, html, policies }: Pick<SitePage, 'url' | 'html' | 'policies'>,
  { accountId, publicUrl, params }: { accountId: string; publicUrl: string; params: readonly string[] },
): { script: FoundScript | null; problems: ScriptProblem[] } {
  const tags = tagsOf(withoutComments(html));
  const scripts = tags.flatMap(({ name, attributes }) => {
    const src = name === 'script' ? URL.parse(attributes.get('src') ?? '', url) : null;
    return src !== null && attributes.has('src') && SCRIPT_PATH.test(src.pathname) ? [{ src, attributes }] : [];
  });
  const ofAccount = scripts.find(({ attributes }) => attributes.get('data-account') === accountId);
  const found = ofAccount ?? scripts.find(({ attributes }) => attributes.has('data-account')) ?? scripts[0];
  if (!found) return { script: null, problems: ['missing'] };
  const { src, attributes } = found;
  const account_id = attributes.get('data-account') ?? null;
  const problems: ScriptProblem[] = [];
  if (account_id === null) problems.push('no_account');
  else if (account_id !== accountId) problems.push('wrong_account');
  const isProxied = src.origin === new URL(url).origin && src.pathname.startsWith('/_aff/');
  if (!isProxied && src.origin !== new URL(publicUrl).origin) problems.push('other_host');
  const named = new Set(attributes.get('data-params')?.match(/[\w-]+/g));
  if (params.some((name) => !named.has(name))) problems.push('missing_params');
  const inPage = tags.flatMap(({ name, attributes: meta }) =>
    name === 'meta' && meta.get('http-equiv')?.toLowerCase() === 'content-security-policy' ? [meta.get('content') ?? ''] : [],
  );
  const all = [...policies, ...inPage].map(directivesOf);
  const of = (names: readonly string[]) =>
    all.flatMap((directives) => names.flatMap((name) => directives.get(name) ?? []).slice(0, 1));
  const nonce = attributes.get('nonce');
  if (!of(['script-src-elem', 'script-src', 'default-src']).every((sources) => allows(sources, src, url, nonce)))
    problems.push('blocked_script');
  const reports = new URL(src.pathname.startsWith('/_aff/') ? '/_aff/track/visits' : '/track/visits', src);
  if (!of(['connect-src', 'default-src']).every((sources) => allows(sources, reports, url))) problems.push('blocked_reports');
  return { script: { src: src.href, account_id }, problems };
}

function withoutComments(html: string): string {
  const parts: string[] = [];
  for (let at = 0; at < html.length;) {
    const start = html.indexOf('<!--', at);
    parts.push(html.slice(at, start === -1 ? undefined : start));
    const end = start === -1 ? -1 : html.indexOf('-->', start);
    if (end === -1) break;
    at = end + 3;
  }
  return parts.join('');
}

/** Finds the script and meta tags. Runs in linear time, because the page may come from an attacker. */
function tagsOf(html: string): { name: string; attributes: Map<string, string> }[] {
  const tags = [];
  const [start, rest] = [new RegExp(TAG_START), new RegExp(TAG_REST)];
  for (let found = start.exec(html); found; found = start.exec(html)) {
    rest.lastIndex = start.lastIndex;
    const text = rest.exec(html)?.[1];
    // The last tag is not closed.
    if (text === undefined) break;
    tags.push({ name: found[1]!.toLowerCase(), attributes: attributesOf(text) });
    start.lastIndex = rest.lastIndex;
  }
  return tags;
}

/** Parses the attributes of a tag. If a name occurs more than once, the first attribute counts, as in browsers. */
function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name, double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name!.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decoded(double ?? single ?? bare ?? ''));
  }
  return attributes;
}

function decoded(value: string): string {
  return value.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
}

/** Parses a policy into sources by directive. If a directive occurs more than once, the first one counts. */
function directivesOf(policy: string): Map<string, string[][]> {
  const directives = new Map<string, string[][]>();
  for (const part of policy.split(';')) {
    const [name, ...sources] = part.trim().split(/\s+/);
    const key = name!.toLowerCase();
    if (key !== '' && !directives.has(key)) directives.set(key, [sources]);
  }
  return directives;
}

/**
 * True if the sources of a directive match an address (CSP level 3). Hashes are not compared: a directive that contains a hash allows every
 * script.
 */
function allows(sources: readonly string[], target: URL, page: string, nonce?: string): boolean {
  if (nonce !== undefined && sources.includes(`'nonce-${nonce}'`)) return true;
  // With `strict-dynamic`, browsers ignore the hosts of a directive.
  if (sources.some((source) => source.toLowerCase() === "'strict-dynamic'"))
    return sources.some((source) => /^'sha\d+-/i.test(source));
  return sources.some((source) => matches(source.toLowerCase(), target, new URL(page)));
}

function matches(source: string, target: URL, page: URL): boolean {
  if (/^'sha\d+-/.test(source)) return true;
  if (source === "'self'") return target.origin === page.origin;
  if (source === '*') return /^https?:$/.test(target.protocol);
  if (/^[a-z][a-z0-9+.-]*:$/.test(source))
    return target.protocol === source || (source === 'http:' && target.protocol === 'https:');
  const [, scheme, host, port, path = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/:]+)(?::(\d+|\*))?(\/.*)?$/.exec(source) ?? [];
  if (host === undefined) return false;
  const isScheme =
    scheme === undefined ? true : `${scheme}:` === target.protocol || (scheme === 'http' && target.protocol === 'https:');
  const isHost = host === '*' || host === target.hostname || (host.startsWith('*.') && target.hostname.endsWith(host.slice(1)));
  const isPort =
    port === '*' ||
    (port ?? '') === target.port ||
    (target.port === '' && port === (target.protocol === 'https:' ? '443' : '80'));
  const isPath = path === '' || (path.endsWith('/') ? target.pathname.startsWith(path) : target.pathname === path);
  return isScheme && isHost && isPort && isPath;
}
