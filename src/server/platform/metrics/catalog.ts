/** Every metric of ours, in one place. docs/running.md lists them, and the files in deploy/ use them; tests compare all three. */

interface Metric {
  type: 'gauge' | 'counter' | 'histogram';
  help: string;
  labels: readonly string[];
}

/** Of each process. The answer adds the label `process`. */
export const processCatalog = {
  handstamp_build_info: {
    type: 'gauge',
    help: 'Version, commit and newest migration of the running code',
    labels: ['version', 'commit', 'schema'],
  },
  handstamp_process_info: { type: 'gauge', help: 'Each process, by its id', labels: ['pid'] },
  handstamp_http_request_duration_seconds: {
    type: 'histogram',
    help: 'How long requests took, by the pattern of their route',
    labels: ['method', 'route', 'status'],
  },
  handstamp_http_requests_shed_total: {
    type: 'counter',
    help: 'Requests denied because of overload',
    labels: ['priority'],
  },
  handstamp_batcher_waiting: { type: 'gauge', help: 'Requests that wait for the next batch', labels: ['batcher'] },
  handstamp_batches_total: { type: 'counter', help: 'Batches sent to the database', labels: ['batcher'] },
  handstamp_batched_requests_total: { type: 'counter', help: 'Requests in those batches', labels: ['batcher'] },
  handstamp_batcher_rejected_total: {
    type: 'counter',
    help: 'Requests denied because the queue of the batcher was full',
    labels: ['batcher'],
  },
  handstamp_database_connections: {
    type: 'gauge',
    help: 'Open connections to the database',
    labels: ['pool', 'state'],
  },
  handstamp_database_waiting: {
    type: 'gauge',
    help: 'Requests that wait for a connection to the database',
    labels: ['pool'],
  },
  handstamp_job_failures_total: { type: 'counter', help: 'Failed attempts of jobs', labels: ['task'] },
} as const satisfies Record<string, Metric>;

/** Of the whole installation, read from the database by the process that answers. */
export const businessCatalog = {
  handstamp_database_up: { type: 'gauge', help: 'Whether the figures below could be read', labels: [] },
  handstamp_tickets_sold: { type: 'gauge', help: 'Tickets sold and not refunded', labels: [] },
  handstamp_reservations_open: { type: 'gauge', help: 'Orders with reserved tickets', labels: [] },
  handstamp_webhooks_unprocessed: { type: 'gauge', help: 'Webhook events that are not processed', labels: [] },
  handstamp_webhook_oldest_unprocessed_seconds: {
    type: 'gauge',
    help: 'Age of the oldest webhook event that is not processed',
    labels: [],
  },
  handstamp_emails_queued: { type: 'gauge', help: 'Emails that are not sent', labels: [] },
  handstamp_email_oldest_queued_seconds: {
    type: 'gauge',
    help: 'Age of the oldest email that is not sent',
    labels: [],
  },
  handstamp_webhook_deliveries_due: {
    type: 'gauge',
    help: "Calls of organizers' webhooks that are due, without those of failing ones",
    labels: [],
  },
  handstamp_webhook_delivery_oldest_due_seconds: {
    type: 'gauge',
    help: 'How long the oldest of these calls has been due',
    labels: [],
  },
  handstamp_jobs: {
    type: 'gauge',
    help: 'Jobs that are due, running, or given up after their last attempt',
    labels: ['task', 'state'],
  },
  handstamp_job_oldest_due_seconds: {
    type: 'gauge',
    help: 'How long the oldest job that is due has waited',
    labels: ['task'],
  },
  handstamp_discrepancies_open: {
    type: 'gauge',
    help: 'Open discrepancies between the ledger and Stripe',
    labels: [],
  },
  handstamp_action_items: { type: 'gauge', help: 'Open action items', labels: ['kind'] },
  handstamp_action_items_overdue: {
    type: 'gauge',
    help: 'Action items that are older than 15 minutes',
    labels: ['kind'],
  },
  handstamp_alerts_open: { type: 'gauge', help: 'Open alerts on the dashboard', labels: ['kind'] },
  handstamp_payouts_waiting: { type: 'gauge', help: 'Payouts that are not paid, without held ones', labels: ['state'] },
  handstamp_payouts_waiting_cents: { type: 'gauge', help: 'The amount of these payouts', labels: ['state'] },
  handstamp_payout_oldest_due_seconds: {
    type: 'gauge',
    help: 'How long ago the oldest payout that is not sent was due',
    labels: [],
  },
  handstamp_backup_age_seconds: {
    type: 'gauge',
    help: 'Time since the last recorded backup, or since the installation',
    labels: [],
  },
  handstamp_backup_check_age_seconds: {
    type: 'gauge',
    help: 'Time since a backup was last restored and found good, or since the installation',
    labels: [],
  },
  handstamp_backup_check_failed: {
    type: 'gauge',
    help: 'Whether the last backup that was checked is broken',
    labels: [],
  },
  handstamp_backup_check_duration_seconds: {
    type: 'gauge',
    help: 'How long restoring and checking it took',
    labels: [],
  },
  handstamp_database_replicas: { type: 'gauge', help: 'Standbys that stream from the database', labels: [] },
  handstamp_database_replication_lag_seconds: {
    type: 'gauge',
    help: 'How far the slowest standby is behind',
    labels: [],
  },
} as const satisfies Record<string, Metric>;

export const catalog = { ...processCatalog, ...businessCatalog };

export type MetricName = keyof typeof catalog;
