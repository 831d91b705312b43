import type { oas31 } from 'zod-openapi';

/** An enumeration that becomes a named schema: a place in the document that has its values, and its description. */
type Named = readonly [place: string, description: string];

/**
 * The enumerations, by the names of their schemas. Without a name here, every client generator would invent one for each place. A place is a
 * schema and a property in it; `[]` stands for the items of a list, and `|` separates places of which a contract has one.
 */
const NAMED: Readonly<Record<string, Named>> = {
  AffiliateState: ['Affiliate.state', 'State of an affiliate.'],
  AffiliateTimelineKind: ['AffiliateTimeline.entries[].kind', 'Kind of an entry in the timeline of an affiliate.'],
  AnalyticsDimension: ['AnalyticsReport.group_by', 'Dimension by which a report is grouped.'],
  ApplicationDecision: ['ApplicationsDecideRequest.decision', 'Decision about applications.'],
  AppliedTouchRule: ['Touch.rule', 'Rule that decided which referral a visitor has after a click.'],
  ApprovalMode: ['PortalSettings.approval', 'Way of approving applications of affiliates.'],
  Attribution: ['Campaign.attribution', 'Which click of a visitor counts.'],
  BlockReason: ['BlockedAddress.reason|Invitation.email_problem', 'Reason why an address gets no emails.'],
  BotReason: ['ClicksRecentResponse.clicks[].bot_reason', 'Reason why a click counts as that of a program.'],
  BulkResult: ['AffiliatesBulk.data[].result', 'Result of an item of a bulk call.'],
  CallerKind: ['Caller.kind', 'Kind of a caller.'],
  CapScope: ['RewardRule.cap.per', 'Unit to which the limit of a reward rule applies.'],
  CapWindow: ['RewardRule.cap.window', 'Time over which the limit of a reward rule applies.'],
  CommissionKind: ['Commission.kind', 'Origin of a commission.'],
  BankReportProblemCode: ['BankReportProblem.code', 'Contradiction between a report of a bank and the payouts.'],
  CommissionState: ['Commission.state', 'State of a commission.'],
  ConnectorKind: ['Connector.kind', 'Way in which an assistant signs in.'],
  ConversionState: ['Referral.conversion_state', '`visitor`, `lead` (signed up), or `conversion` (paid).'],
  CustomerAge: ['RewardRulesPreviewRequest.customer', 'New or returning customer.'],
  DeliveryStatus: ['WebhookDelivery.status', 'Status of a webhook delivery.'],
  DisabledReason: ['WebhookEndpoint.disabled_reason', 'Reason why the service has deactivated a webhook endpoint.'],
  DiscrepancyCode: ['PayoutReconciliation.discrepancies[].code', 'Kind of a discrepancy.'],
  EmailTextName: ['EmailText.mail', 'Name of an email.'],
  EventActorKind: ['EventActor.kind', 'Kind of who has caused an event.'],
  EventOutcome: ['EventReceipt.outcome', 'Effect of an event of a payment provider.'],
  EventSubscription: ['WebhookEndpoint.event_types[]', 'An event type, or a pattern for several types.'],
  EventType: ['WebhookDelivery.event_type', 'Type of an event.'],
  ExportFormat: [
    'PayoutExport.export_format',
    'Format of an export file: `csv`, `walleta` (PayPal), `walletb` (Wise), `bank_sepa` or `bank_ach`.',
  ],
  ExportObstacle: ['PayoutLeftOut.code', 'Reason why a payout does not fit into an export file.'],
  FactDisputeOutcome: ['FactDispute.outcome', 'Outcome of a dispute.'],
  FactOutcome: ['AcceptedFact.outcome', 'Effect of a fact.'],
  FactRefundState: ['FactRefund.state', 'State of a refund.'],
  IdentityKind: ['CustomersIdentitiesResponse.data[].kind', 'Kind of an identity of a customer.'],
  IdentitySource: ['CustomersIdentitiesResponse.data[].source', 'Source of an identity of a customer.'],
  ImportFailure: ['Import.failure|ImportEventData.failure', 'Reason why an import failed.'],
  ImportOutcome: ['Import.counts[].outcome|ImportEventData.counts[].outcome', 'Outcome of a record of an import.'],
  DateOrder: ['ImportsCreateRequest.files[].date_order', 'Order of the numbers in a day.'],
  DecimalMark: ['ImportsCreateRequest.files[].decimal_mark', 'Mark before the decimals of an amount.'],
  ImportPhase: ['Import.progress.phase|ImportEventData.progress.phase', 'The present work of an import.'],
  ImportRowReason: ['ImportRow.reason', 'Reason why a record is not imported.'],
  ImportState: ['Import.state|ImportEventData.state', 'State of an import.'],
  ImportedAmount: ['Import.totals[].kind|ImportEventData.totals[].kind', 'Kind of records with amounts.'],
  ImportedFile: ['ImportsCreateRequest.files[].kind', 'Records in a file.'],
  ImportedKind: ['Import.counts[].kind|ImportEventData.counts[].kind', 'Kind of a record of an import.'],
  ShadowEnding: ['ShadowsEndRequest.imports', 'Last reading of the former tool when a shadow ends.'],
  ShadowState: ['Shadow.state', 'State of a shadow.'],
  ProgramEmails: ['PortalSettings.program_emails', 'The affiliates who get emails of the program.'],
  ScreeningKind: ['ScreeningSettings.kind', 'With what affiliates are compared before they are paid.'],
  ScreeningResult: ['PayoutScreening.result', 'Result of a comparison with lists.'],
  PayoutBatchStop: ['PayoutBatch.waits_for', 'Reason why payments that may be sent wait.'],
  OutlookObstacle: ['PaymentOutlook.obstacles[]', 'Reason why an open payout is not paid.'],
  OutlookAct: ['PaymentOutlook.to_do', 'The next act of a person for a payment.'],
  IneligibleReason: ['Payout.ineligible_reasons[]', 'Reason why a payout cannot be paid now.'],
  InvitationAction: ['InvitationsUpdateRequest.invitation_action', 'Action on an invitation.'],
  InvitationKind: ['Invitation.kind', 'Role that an invitation offers.'],
  InvitationStatus: ['Invitation.status', 'Status of an invitation.'],
  LineNote: ['CommissionLine.note', 'Reason why a line of a sale earns nothing.'],
  MailLanguage: ['Account.mail_language', 'Language of emails.'],
  NoCommissionReason: ['RecordedSale.reason|TestPurchase.sale.no_commission_reason', 'Reason why a sale earned no commission.'],
  OutsidePayments: ['PspConnection.outside_payments', 'Treatment of payments outside the payment provider.'],
  PaidOutside: ['Sale.paid_outside', 'Treatment of a payment outside the payment provider.'],
  ParameterType: ['Campaign.parameter_type', 'Where links carry their token.'],
  PayPer: ['RewardRule.pay.fixed.per', 'Unit for which a fixed reward is paid.'],
  PayoutAttemptOutcome: ['PayoutAttemptsDecideRequest.outcome', 'Outcome of a payment.'],
  FeeBearer: ['PayoutTerms.fee_bearer|PayoutMethodKind.fee_bearer', 'Person who bears the fee of a payment.'],
  SecondPerson: ['PayoutApproval.second_person', 'Payments that a second person must approve.'],
  ForbiddenReason: ['ForbiddenDetails.reason', 'Reason why a caller with the permission is refused.'],
  PayoutAttemptState: ['PayoutAttempt.state', 'State of an attempt to pay a payout.'],
  PayoutBatchState: ['PayoutBatch.state', 'State of payments that the service sends together.'],
  PayoutObstacle: ['PreparedPayouts.left_out[].code', 'Reason why a method cannot pay a payout.'],
  PayoutExportState: ['PayoutExport.state', 'State of a payout export.'],
  PayoutMethodState: ['PayoutMethod.state', 'State of a payout method.'],
  PayoutRunIssue: ['PayoutRunSummary.issues[].code', 'Reason why an item of a payout run failed.'],
  PayoutRunItemState: ['PayoutRunsItemsResponse.data[].state', 'State of an item of a payout run.'],
  PayoutRunState: ['PayoutRunSummary.state', 'State of a payout run.'],
  PayoutState: ['Payout.state', 'State of a payout.'],
  PersonKind: ['PersonalData.kind', 'Kind of a person.'],
  PersonRole: ['Erased.kept[].kind', 'Role that a person still has.'],
  PermissionPurpose: ['PspEndpointStatus.missing_permissions[].purpose', 'Purpose of a permission at the payment provider.'],
  PortalHostFailure: ['PortalHost.failure', 'Reason why a host name of the portal is not served.'],
  PortalQuestionKind: ['PortalSettings.questions[].kind', 'Kind of a question to applicants.'],
  RewardApply: ['RewardRule.apply', 'Way in which a reward rule pays.'],
  MilestoneMetric: ['RewardRule.milestone.metric|Tier.metric', 'Number that a milestone counts.'],
  MilestoneWindow: ['RewardRule.milestone.window|Tier.window', 'Time over which a milestone counts.'],
  PriceInterval: ['CommissionLine.interval|PspCatalog.prices[].interval', 'Billing interval of a price.'],
  PromoCodeOperation: ['PromoCodeOutcome.operation.type', 'Operation on a promo code.'],
  PromoCodeOperationState: ['PromoCodeOutcome.operation.state', 'Outcome of an operation on a promo code.'],
  PromoCodePendingOperation: ['PromoCodesPendingResponse.data[].type', 'Operation on a promo code whose outcome is unknown.'],
  ExplanationStep: ['AmountExplanation.steps[].kind', 'Kind of a step in the explanation of an amount.'],
  ReportWarning: ['RecordedSale.warnings[].code', 'Part of a report that had no effect.'],
  PromoCodeStatus: ['PromoCodeAssignment.status', 'Status of an assigned promo code.'],
  RefundKind: ['RefundsOfSale.refunds[].kind', 'Kind of a refund.'],
  RefundSource: ['RefundsOfSale.refunds[].source', 'Source of a refund.'],
  PspAccess: ['PspEndpointStatus.missing_permissions[].access', 'Access to a resource of the payment provider.'],
  PspEndpointProblem: ['PspEndpointStatus.problem', 'Problem of the endpoint at the payment provider.'],
  RemediationAction: ['PayoutRunsRemediateRequest.remediation_action', 'Action on the failed items of a payout run.'],
  ReviewAction: ['CommissionsReviewRequest.review_action', 'Decision about a flagged commission.'],
  SaleReviewAction: ['SalesReviewRequest.review_action', 'Decision about a sale in doubt.'],
  ReviewReason: ['Commission.review_reason', 'Reason why a commission was flagged.'],
  ReviewStatus: ['Commission.review_status', 'Result of the review of a commission.'],
  RewardEvent: ['RewardRule.event', 'Event for which a reward rule pays.'],
  RewardWarningCode: ['RewardWarning.code', 'Fault of a reward rule.'],
  RewardType: ['Campaign.reward_type', 'Way of computing commissions.'],
  Role: ['Invitation.role|Member.role', 'Role in an account.'],
  RoleOfCaller: ['Caller.role', 'Role of a signed-in person.'],
  SaleClaimKind: ['SaleDecision.claims[].kind', 'Origin of a claim on a sale.'],
  SaleClaimStatus: ['SaleDecision.claims[].status', 'Outcome of a claim on a sale.'],
  SaleFixKind: ['SaleGap.fixes[].kind', 'Kind of a proposed change of the integration.'],
  SaleGapReason: ['SaleGap.gap', 'Reason why a sale has no commission.'],
  SaleRule: ['SaleDecision.rule', 'Rule that decided who earns from a sale.'],
  SaleWay: ['SaleGap.way', 'Way in which a sale was made.'],
  SearchedKind: ['SearchResults.data[].kind', 'Kind of a record that a search found.'],
  ShadowCause: [
    'ShadowCustomer.sales[].cause|ShadowSums.causes[].cause',
    'Cause of a difference between a former tool and this service.',
  ],
  ShadowOutcome: [
    'ShadowCustomer.sales[].outcome|ShadowSums.causes[].outcome',
    'Result of the comparison of a former tool with this service.',
  ],
  SiteCheckFailure: ['SiteCheckResponse.failure', 'Reason why a page could not be read.'],
  SiteProblem: ['SiteCheckResponse.problems[]', 'Problem of the tracking script of a page.'],
  TimelineKind: ['Timeline.entries[].kind', 'Kind of an entry in a timeline.'],
  WebhookTrigger: ['WebhookDeliveryDetail.attempts[].trigger', 'Origin of an attempt.'],
};

/** Enumerations that a contract has only as the filter of a list. */
const OF_PARAMETERS: Readonly<Record<string, readonly [path: string, parameter: string]>> = {
  EventSubscription: ['/api/v1/events', 'type'],
};

const GROWS = 'More values may be added.';

/** Replaces the listed enumerations everywhere in the document by references to named schemas. Adds only the schemas that are used. */
export function nameValues(document: oas31.OpenAPIObject): void {
  const schemas = ((document.components ??= {}).schemas ??= {});
  const names = new Map<string, string>();
  for (const [name, [place]] of Object.entries(NAMED)) {
    const found = place.split('|').map((each) => valuesAt(schemas, each));
    const values = found.find((each) => each !== undefined) ?? valuesOfParameter(document, name);
    if (values) names.set(JSON.stringify(values), name);
  }
  const used = new Map<string, unknown[]>();
  replaceIn(document, names, used);
  for (const [name, values] of [...used].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    schemas[name] = { type: 'string', enum: values, description: `${NAMED[name]![1]} ${GROWS}` };
}

function valuesAt(schemas: Record<string, unknown>, place: string): unknown[] | undefined {
  const [component = '', ...properties] = place.split('.');
  let at = schemas[component] as oas31.SchemaObject | undefined;
  for (const property of properties) {
    const name = property.replace('[]', '');
    at = resolved(schemas, at?.properties?.[name]);
    if (property.endsWith('[]')) at = resolved(schemas, at?.items);
  }
  return at?.enum?.filter((value) => value !== null);
}

function resolved(schemas: Record<string, unknown>, schema: oas31.SchemaObject | oas31.ReferenceObject | undefined) {
  const inner = schema && 'anyOf' in schema ? schema.anyOf?.find((each) => !('type' in each && each.type === 'null')) : schema;
  const name = inner?.$ref?.split('/').at(-1);
  return (name === undefined ? inner : schemas[name]) as oas31.SchemaObject | undefined;
}

function valuesOfParameter({ paths }: oas31.OpenAPIObject, name: string): unknown[] | undefined {
  const [path, wanted] = OF_PARAMETERS[name] ?? [];
  const parameters = (paths?.[path ?? '']?.get?.parameters ?? []) as oas31.ParameterObject[];
  const schema = parameters.find((each) => each.name === wanted)?.schema as oas31.SchemaObject | undefined;
  return schema?.enum ?? (schema?.items as oas31.SchemaObject | undefined)?.enum;
}

function replaceIn(value: unknown, names: ReadonlyMap<string, string>, used: Map<string, unknown[]>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const child of Object.values(value)) replaceIn(child, names, used);
  const schema = value as Record<string, unknown>;
  if (!Array.isArray(schema['enum'])) return;
  const values = schema['enum'].filter((each) => each !== null);
  const name = names.get(JSON.stringify(values));
  if (name === undefined) return;
  const ref = { $ref: `#/components/schemas/${name}` };
  const isNullable = values.length < schema['enum'].length;
  delete schema['enum'];
  delete schema['type'];
  used.set(name, values);
  Object.assign(schema, isNullable ? { anyOf: [ref, { type: 'null' }] } : ref);
}
