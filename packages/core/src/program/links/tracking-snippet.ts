/** The tracking script as merchants paste it: calls before it has loaded are kept. */
export function trackingSnippet(origin: string, accountId: string): string {
  return `<script>
  affiliate = { q: [] };
  for (const method of ['ready', 'lead', 'consent']) affiliate[method] = (value) => affiliate.q.push((api) => api[method](value));
</script>
<script async src="${origin}/track.js" data-account="${accountId}"></script>`;
}
