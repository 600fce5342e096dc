/** The wire object `webhook_endpoint`, and the one that receives thin events: `v2.core.event_destination`. */

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
  /** After a rotation the old secret signs as well, for a while. */
  previous?: { secret: string; until: number };
  /** Events of the platform only, or of its connected accounts only. Absent: both. */
  hears?: 'platform' | 'connect';
}
