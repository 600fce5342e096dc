/** Injected faults for API calls and webhook deliveries. Held in memory only. */

export const callFaults = [
  'error_before',
  'error_after',
  'drop_before',
  'drop_after',
  'slow',
  'status:429',
  'conflict',
  'truncate',
] as const;
export type CallFault = (typeof callFaults)[number];

export const webhookFaults = [
  'duplicate',
  'delay',
  'reorder',
  'drop',
  'bad_signature',
  'old_timestamp',
  'wrong_version',
] as const;
export type WebhookFault = (typeof webhookFaults)[number];

interface PlannedFault {
  timesLeft: number;
  /** For `slow` and `delay`. */
  ms: number;
}
export interface CallFaultPlan extends PlannedFault {
  match: { method?: string | undefined; path?: string | undefined };
  mode: CallFault;
}
export interface WebhookFaultPlan extends PlannedFault {
  webhook: WebhookFault;
  match: { type?: string | undefined };
  /** For `duplicate`: number of deliveries per event. */
  copies: number;
}

export class Faults {
  #calls: CallFaultPlan[] = [];
  #webhooks: WebhookFaultPlan[] = [];

  addCallFault(fault: CallFaultPlan): void {
    this.#calls.push(fault);
  }

  addWebhookFault(fault: WebhookFaultPlan): void {
    this.#webhooks.push(fault);
  }

  clear(): void {
    this.#calls = [];
    this.#webhooks = [];
  }

  /** Returns the oldest matching fault and decrements its count. */
  consumeForCall(method: string, path: string): CallFaultPlan | null {
    return consume(this.#calls.find((fault) => hasTimesLeft(fault) && matchesCall(fault, method, path)));
  }

  consumeForDelivery(mode: WebhookFault, eventType: string): WebhookFaultPlan | null {
    return consume(
      this.#webhooks.find(
        (fault) => hasTimesLeft(fault) && fault.webhook === mode && matchesPattern(fault.match.type ?? '*', eventType),
      ),
    );
  }

  hasPlanned(mode: WebhookFault): boolean {
    return this.#webhooks.some((fault) => hasTimesLeft(fault) && fault.webhook === mode);
  }

  pending(): object {
    return { calls: this.#calls.filter(hasTimesLeft), webhooks: this.#webhooks.filter(hasTimesLeft) };
  }
}

const hasTimesLeft = ({ timesLeft }: PlannedFault) => timesLeft > 0;

function consume<F extends PlannedFault>(fault: F | undefined): F | null {
  if (fault) fault.timesLeft -= 1;
  return fault ?? null;
}

const matchesCall = ({ match }: CallFaultPlan, method: string, path: string) =>
  (match.method ?? method).toUpperCase() === method && matchesPattern(match.path ?? '*', path);

/** `*` inside a pattern matches one path segment; at the end it matches the rest. */
function matchesPattern(pattern: string, text: string): boolean {
  const isPrefix = pattern.endsWith('*');
  const parts = (isPrefix ? pattern.slice(0, -1) : pattern).split('*').map((part) => part.replace(/[^\w/]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}${isPrefix ? '' : '$'}`).test(text);
}
