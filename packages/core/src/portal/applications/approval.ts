/** How an account decides on applications. */
export interface ApprovalRule {
  approval: 'manual' | 'automatic' | 'rule';
  approved_domains: readonly string[];
  rejected_domains: readonly string[];
}

/**
 * Returns the initial state of an applicant (docs/rules/portal.md#applications). If `rule.approval` is `rule`, the domain of the email address
 * decides. If several listed domains match, the longest one counts, so that a subdomain of a rejected domain can be approved.
 */
export function stateOfApplicant(rule: ApprovalRule, email: string): 'pending' | 'active' | 'rejected' {
  if (rule.approval === 'manual') return 'pending';
  if (rule.approval === 'automatic') return 'active';
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  for (let at = 0; at !== -1; at = next(domain, at)) {
    const suffix = domain.slice(at);
    if (rule.rejected_domains.includes(suffix)) return 'rejected';
    if (rule.approved_domains.includes(suffix)) return 'active';
  }
  return 'pending';
}

/** Returns the index at which the parent domain begins, or -1 without one. */
function next(domain: string, at: number): number {
  const dot = domain.indexOf('.', at);
  return dot === -1 ? -1 : dot + 1;
}
