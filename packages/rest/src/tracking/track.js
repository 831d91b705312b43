/*
 * Remembers, on a merchant's own pages, which referral a visitor came with.
 *
 *   <script async src="https://affiliates.example.com/track.js" data-account="acct_…"></script>
 *
 * window.affiliate.referral        the referral's id, or null; pass it to your checkout and to POST /track/sales
 * window.affiliate.ready(fn)       calls fn(referral) once it is known
 * window.affiliate.lead({ email, name })   binds the visitor to the referral
 */
(() => {
  const script = document.currentScript;
  const account = script.dataset.account;
  const service = new URL(script.src).origin;
  const COOKIE = 'affiliate_referral';
  const waiting = [];

  const read = () => {
    const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${COOKIE}=`));
    return found ? decodeURIComponent(found.slice(COOKIE.length + 1)) : null;
  };
  // A referral that has converted stays useful after its expiry, so a cookie lasts a day at least. Without an expiry it lasts for the session.
  const remember = (referral, expiresAt) => {
    const until = expiresAt && new Date(Math.max(Date.parse(expiresAt), Date.now() + 86400000));
    const expires = until ? `; Expires=${until.toUTCString()}` : '';
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    document.cookie = `${COOKIE}=${encodeURIComponent(referral)}; Path=/${expires}; SameSite=Lax${secure}`;
  };
  const parameter = (name) =>
    new URLSearchParams(location.search).get(name) ?? new URLSearchParams(location.hash.slice(1)).get(name);
  const post = async (path, body) => {
    const response = await fetch(service + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      keepalive: true,
    });
    return response.ok ? response.json() : null;
  };

  const affiliate = {
    referral: read(),
    ready(fn) {
      if (waiting.done) fn(affiliate.referral);
      else waiting.push(fn);
    },
    lead({ email, name }) {
      return affiliate.referral
        ? post('/track/leads', { referral_id: affiliate.referral, email, name: name ?? null })
        : Promise.resolve(null);
    },
  };
  window.affiliate = affiliate;

  const arrive = async () => {
    // Pages may use a parameter of this name for something else.
    const passedOn = /^ref_\w{1,196}$/.exec(parameter('referral'))?.[0] ?? null;
    const token = parameter('via');
    if (!passedOn && !token) return;
    // The service decides whether the referral that this browser has, or the one that a tracked link passes on, counts.
    const visit = account
      ? await post('/track/visits', {
          account_id: account,
          token,
          passed_referral_id: passedOn,
          referral_id: affiliate.referral,
        }).catch(() => null)
      : null;
    const referral = visit ? visit.referral_id : affiliate.referral ? null : passedOn;
    if (!referral) return;
    affiliate.referral = referral;
    remember(referral, visit && visit.expires_at);
  };
  arrive()
    .catch(() => {})
    .finally(() => {
      waiting.done = true;
      for (const fn of waiting) fn(affiliate.referral);
    });
})();
