/** Queries of Shopify's GraphQL Admin API, in the version of `API_VERSION`. */
export const API_VERSION = '2026-07';

const MONEY = '{ shopMoney { amount currencyCode } presentmentMoney { amount currencyCode } }';
const TAXES = `taxLines { priceSet ${MONEY} }`;
const VISIT = '{ landingPage referralCode utmParameters { source campaign } }';

/** Lines are read up to this number. Few orders have more. */
const LINES = 100;
const REFUNDS = 50;

export const ORDER = `query ($id: ID!) {
  order(id: $id) {
    legacyResourceId
    test
    sourceName
    processedAt
    displayFinancialStatus
    taxesIncluded
    email
    customer { legacyResourceId displayName }
    customAttributes { key value }
    discountCodes
    customerJourneySummary { ready lastVisit ${VISIT} }
    totalPriceSet ${MONEY}
    totalReceivedSet ${MONEY}
    lineItems(first: ${LINES}) {
      nodes {
        id
        title
        quantity
        isGiftCard
        product { legacyResourceId }
        variant { legacyResourceId }
        originalTotalSet ${MONEY}
        discountAllocations { allocatedAmountSet ${MONEY} }
        ${TAXES}
      }
    }
    shippingLines(first: ${LINES}) { nodes { discountedPriceSet ${MONEY} ${TAXES} } }
    refunds(first: ${REFUNDS}) {
      legacyResourceId
      createdAt
      refundLineItems(first: ${LINES}) {
        nodes { lineItem { id isGiftCard product { legacyResourceId } } subtotalSet ${MONEY} totalTaxSet ${MONEY} }
      }
      refundShippingLines(first: ${LINES}) { nodes { subtotalAmountSet ${MONEY} taxAmountSet ${MONEY} } }
      transactions(first: ${LINES}) { nodes { kind status amountSet ${MONEY} } }
    }
    disputes { id initiatedAs status }
  }
}`;

export const CHANGED_ORDERS = `query ($query: String!, $after: String) {
  orders(first: 250, after: $after, query: $query, sortKey: UPDATED_AT) {
    nodes { id updatedAt test }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const SHOP = '{ shop { name myshopifyDomain currencyCode } orders(first: 1) { nodes { id } } }';

export const SUBSCRIPTIONS = `query ($after: String) {
  webhookSubscriptions(first: 100, after: $after) {
    nodes { id topic uri }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const SUBSCRIBE = `mutation ($topic: WebhookSubscriptionTopic!, $uri: String!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri }) {
    webhookSubscription { id }
    userErrors { message }
  }
}`;

export const UNSUBSCRIBE = `mutation ($id: ID!) {
  webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { message } }
}`;
