/*
 * The tracking script for a merchant's own pages. Remembers which referral brought the visitor (docs/tracking.md).
 *
 *   <script async src="https://affiliates.example.com/track.js" data-account="acct_…"></script>
 *
 * Every visitor of every merchant loads this script. build.ts minifies it, and test/web/tracking-script.test.ts limits its size.
 */

type Id = string | null | undefined;

interface Affiliate {
  /** Id of the referral, or null. Pass it to your checkout and to `POST /track/sales`. */
  readonly referral: string | null;
  /** Calls `fn` with the id of the referral, or null. Waits for the first attempt to report a visit, if there is one to report. */
  ready(fn: (referral: string | null) => void): unknown;
  /** Reports the visitor as a lead, which binds them to the referral. */
  lead(person: { email: string; name?: string; external_customer_id?: string }): unknown;
  /** Records whether the visitor consents to storage. Before this call, a script with `data-consent="pending"` stores nothing. */
  consent(granted: boolean): void;
}

interface Answer {
  referral_id?: string | null;
  max_age?: number;
}

/** Calls that the page queued before this script was loaded. */
type Early = ((affiliate: Affiliate) => unknown)[];

{
  const { dataset, src } = document.currentScript as HTMLScriptElement;
  const { hostname } = location;
  const page = window as typeof window & { affiliate?: Affiliate & { q?: Early } };
  const COOKIE = 'affiliate_referral';
  const UNCONFIRMED = 'affiliate_visit';

  let mayStore = !dataset.consent;
  let denied: boolean | undefined;
  /** The referral that this page knows of, stored or not. An empty string after the visitor has denied consent. */
  let known: Id;
  /** Parameters of a visit that the service has not confirmed yet. */
  let visit: Id;
  /** The page address that was last searched for a referral. */
  let url: Id;
  /** The widest domain for which the browser accepts cookies. */
  let domain: Id;
  let reported: Promise<unknown> | undefined;

  const read = (name: string) => document.cookie.match(`${name}=([^;]+)`)?.[1];
  const referral = () => read(COOKIE) ?? known;

  /** Sets a cookie on the widest domain that the browser accepts. Removes the cookie if there is no value. */
  const write = (name: string, value?: Id, age?: number) => {
    hostname.split('.').reduceRight((parent, label) => {
      if (read(name) !== value)
        document.cookie = `${name}=${value};Path=/;Max-Age=${age || 0};Domain=${(domain = label + parent)}`;
      return `.${label}${parent}`;
    }, '');
  };

  /**
   * Posts to the service. Repeats the request every 9 s until the service answers or the visitor denies consent. Resolves after the
   * first attempt. A request continues after the visitor has left the page.
   */
  const post = (path: string, body: object, done?: (answer: Answer) => void): Promise<unknown> =>
    fetch(new URL(`track/${path}`, src), {
      method: 'POST',
      body: JSON.stringify(body),
      keepalive: true,
    })
      .then((response) => (response.status < 429 ? response.json() : Promise.reject()))
      // oxlint-disable-next-line promise/no-callback-in-promise -- an error in `done` counts as a failed attempt
      .then(done)
      .catch(() => {
        if (!denied) setTimeout(post as (...values: Parameters<typeof post>) => void, 9e3, path, body, done);
      });

  /** Reports the visit. Stores its parameters until the service has confirmed it, so that the next page can report it again. */
  const report = () => {
    if (mayStore) write(UNCONFIRMED, visit, 9e4);
    const referral_id = referral();
    known = referral_id || visit!.match(/ref_\w+/)?.[0];
    reported = post(
      'visits',
      {
        account_id: dataset.account,
        parameters: visit,
        url,
        referrer: document.referrer,
        referral_id,
        cookie_domain: domain,
      },
      (answer) => {
        if (denied) return;
        write(UNCONFIRMED, (visit = null));
        known = answer.referral_id ?? referral_id;
        // Not overwritten if the service has set the cookie by HTTP: browsers keep such a cookie longer than one set by a script.
        if (mayStore && read(COOKIE) !== known) write(COOKIE, known, answer.max_age);
        arrive();
      },
    );
  };

  /**
   * Looks for a referral in the page's address, and adds the known referral to payment elements. Called again whenever the page changes,
   * because single-page applications change their address without loading a page.
   */
  const arrive = () => {
    if (url !== location.href && !denied && !visit) {
      url = location.href;
      // A page may use a parameter named `referral` for something else, so its value must start with `ref_`.
      // `data-params` names parameters that carry a token in addition to `via`.
      visit = url
        .replace(RegExp(`\\b(${dataset.params?.match(/[\w-]+/g)?.join('|')})=`, 'gi'), 'via=')
        .match(/\b(via=|referral=ref_)[^;]+/i)?.[0];
      if (!visit || visit.includes(referral() || ' '))
        visit = mayStore && known && known !== read(COOKIE) ? `referral=${known}` : read(UNCONFIRMED);
      if (visit) report();
    }
    // Keeps a reference that the page itself has set.
    const mark = (elements: string, attribute: string, value: string) => {
      for (const element of document.querySelectorAll(`${elements}:not([${attribute}])`)) element.setAttribute(attribute, value);
    };
    const id = referral();
    if (mayStore && id) {
      mark('[publishable-key]', 'client-reference-id', id);
      mark('.paddle_button', 'data-custom-data', `{"referral":"${id}"}`);
    }
  };

  /**
   * Adds the referral to links and forms that point to a payment provider or the merchant's own payment domain (`data-payments`), to another domain of the
   * merchant (`data-domains`) or, if no cookie is stored, to the same host.
   */
  const passOn = ({ target, formData }: Event & { formData?: FormData }) => {
    arrive();
    const element = (target as Element).closest?.<HTMLAnchorElement & { _ours?: boolean }>('a[href]:not([href^=\\#]),form');
    if (!element) return;
    const id = referral();
    const to = new URL(element.href ?? element.getAttribute('action'), location as unknown as string);
    /** Returns the parameter for the host of the link: the one after its name in the list, or `parameter`. */
    const nameIn = (hosts: string, parameter: string) => {
      const found = hosts
        .split(',')
        .map((each) => each.split('='))
        .find(([host]) => `.${to.hostname}`.endsWith(`.${host}`));
      return found && (found[1] || parameter);
    };
    const name =
      nameIn(
        `buy.stripe.com,book.stripe.com,donate.stripe.com,buy.polar.sh=reference_id,checkout.dodopayments.com=metadata_referral,lemonsqueezy.com=checkout[custom][referral],${dataset.payments}`,
        'client_reference_id',
      ) || nameIn(`${dataset.domains},${read(COOKIE) ? '' : hostname}`, 'referral');
    if ((id || element._ours) && name && (element._ours ??= !to.searchParams.has(name))) {
      to.searchParams.set(name, id!);
      element.href = to as unknown as string;
      formData?.set(name, id!);
    }
  };

  ['pointerdown', 'click', 'formdata'].map((name) => addEventListener(name, passOn, true));
  new MutationObserver(arrive).observe(document, { childList: true, subtree: true });

  const early = page.affiliate?.q;
  const affiliate: Affiliate = (page.affiliate = {
    get referral() {
      return referral() || null;
    },
    ready: async (fn) => fn((await reported, affiliate.referral)),
    lead: async (person) => (await reported, post('leads', { referral_id: referral(), ...person })),
    consent: (granted) => {
      denied = !(mayStore = granted);
      url = null;
      if (denied) {
        write(COOKIE);
        write(UNCONFIRMED, (visit = null));
        known = '';
      }
      arrive();
    },
  });
  arrive();
  early?.map((call) => call(affiliate));
}
