/** The `webhook_endpoint` object, and `v2.core.event_destination` for thin events. */

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
  status: 'enabled' | 'disabled';
  url: string;
}

export interface EventDestination {
  id: string;
  object: 'v2.core.event_destination';
  created: string;
  description: string;
  enabled_events: string[];
  event_payload: 'thin';
  livemode: false;
  name: string;
  status: 'enabled';
  type: 'webhook_endpoint';
  updated: string;
  webhook_endpoint: { url: string };
}

export interface EndpointInside {
  secret: string;
  /** After a rotation, the old secret keeps signing until it expires. */
  previous?: { secret: string; until: number };
  /** Which events the endpoint subscribes to: the platform's or its connected accounts'. Both when absent. */
  hears?: 'platform' | 'connect';
}
