/**
 * Returns the snippet that merchants paste into their pages. The snippet queues calls that are made before the tracking script has loaded.
 *
 * @param params names of parameters that carry tokens in addition to `via` (`params` of the campaigns)
 */
export function trackingSnippet(origin: string, accountId: string, params: readonly string[]): string {
  const names = params.length === 0 ? '' : ` data-params="${[...new Set(params)].join(' ')}"`;
  return `<script>
  affiliate = { q: [] };
  for (const method of ['ready', 'lead', 'consent']) affiliate[method] = (value) => affiliate.q.push((api) => api[method](value));
</script>
<script async src="${origin}/track.js" data-account="${accountId}"${names}></script>`;
}
