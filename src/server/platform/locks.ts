/**
 * Locks of the database, in one place so that no two meet by accident.
 *
 * A transaction that locks rows of several tables takes them in this order, and rows of one table in the order of their ids:
 * events, ticket types, shared capacities, promo codes, orders, refunds, tickets, organizations, users. Two exceptions skip locked rows instead of waiting:
 * releasing expired reservations and completing a batch of orders.
 */

/** Advisory locks. The numbers are arbitrary; a test keeps them different. */
export const advisoryLocks = {
  /** One process migrates. */
  migration: 20_261_121,
  /** One process sets up the application's role. */
  roleGrants: 20_261_122,
  /** One process releases expired reservations. */
  releaseExpired: 20_261_123,
  /** One process rolls up ticket totals. */
  ticketTotals: 20_261_124,
  /** One process claims webhooks to send. */
  webhooks: 20_261_139,
  /** One process uses the embedded database. */
  embeddedDatabase: 0x68_61_6e_64,
} as const;

/** Namespaces of advisory locks that take a second key. */
export const lockNamespaces = {
  /** By event: entering a device, and changing the attendant code. */
  checkInDevices: 20_261_125,
  /** By event: reserving shares it, editing and cancelling take it alone. Unlike share locks of a row, it serves waiters in turn. */
  sales: 20_261_127,
  /** By email address: registering, changing an address, and emailing a link to the data of an address. */
  emailAddress: 20_261_126,
  /** By mailbox: queuing an email that a stranger can cause. Taken after rows, the last lock of its transaction. */
  recipient: 20_261_128,
  /** By email address and by card: requesting a refund. Taken after the order. */
  refunder: 20_261_131,
  /** By event and email address: completing a free order. Taken after the order. */
  freeOrders: 20_261_132,
  /** By organization: adding guests at no charge. Taken after the event. */
  comps: 20_261_133,
  /** By address of a page: leaving one and taking one. Taken after the organization. */
  slugs: 20_261_134,
  /** By series: beginning a change of several dates. Taken after events. */
  seriesChanges: 20_261_138,
} as const;
