/** The wire object `webhook_endpoint`. */

import type { Metadata } from './metadata.ts';

export interface WebhookEndpoint {
  id: string;
  object: 'webhook_endpoint';
  api_version: string | null;
  application: null;
  created: number;
  description: string | null;
  enabled_events: string[];
  livemode: false;
  metadata: Metadata;
  status: 'enabled';
  url: string;
}

export interface EndpointInside {
  secret: string;
}
