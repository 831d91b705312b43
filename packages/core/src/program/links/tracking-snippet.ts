/** Returns the snippet that merchants paste into their pages. The snippet queues calls that are made before the tracking script has loaded. */
export function trackingSnippet(origin: string, accountId: string): string {
  return `<script>
  affiliate = { q: [] };
  for (const method of ['ready', 'lead', 'consent']) affiliate[method] = (value) => affiliate.q.push((api) => api[method](value));
</script>
<script async src="${origin}/track.js" data-account="${accountId}"></script>`;
}
