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
  const remember = (referral, expiresAt) => {
    const until = expiresAt ? new Date(expiresAt) : new Date(Date.now() + 60 * 86400000);
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    document.cookie = `${COOKIE}=${encodeURIComponent(referral)}; Path=/; Expires=${until.toUTCString()}; SameSite=Lax${secure}`;
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
    const passedOn = parameter('referral');
    const token = parameter('via');
    // A tracked link has counted the visit already and passes its referral on; the first referral of a browser stays.
    if (passedOn && !affiliate.referral) {
      affiliate.referral = passedOn;
      remember(passedOn);
    } else if (token && !passedOn && account) {
      const visit = await post('/track/visits', { account_id: account, token, referral_id: affiliate.referral });
      if (visit && visit.referral_id) {
        affiliate.referral = visit.referral_id;
        remember(visit.referral_id, visit.expires_at);
      }
    }
  };
  arrive()
    .catch(() => {})
    .finally(() => {
      waiting.done = true;
      for (const fn of waiting) fn(affiliate.referral);
    });
})();
