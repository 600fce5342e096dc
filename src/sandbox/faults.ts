/** Trouble on demand: calls that break, deliveries that go astray. Kept in memory, gone with the process. */

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

interface Planned {
  timesLeft: number;
  ms: number;
}
interface PlannedCall extends Planned {
  match: { method?: string | undefined; path?: string | undefined };
  mode: CallFault;
}
interface PlannedWebhook extends Planned {
  webhook: WebhookFault;
}

export class Faults {
  #calls: PlannedCall[] = [];
  #webhooks: PlannedWebhook[] = [];

  planCall(fault: PlannedCall): void {
    this.#calls.push(fault);
  }

  planWebhook(fault: PlannedWebhook): void {
    this.#webhooks.push(fault);
  }

  clear(): void {
    this.#calls = [];
    this.#webhooks = [];
  }

  /** What is to befall this call, used up by asking. */
  takeForCall(method: string, path: string): PlannedCall | null {
    const fault = this.#calls.find(({ timesLeft, match }) => timesLeft > 0 && matches(match, method, path));
    if (fault) fault.timesLeft -= 1;
    return fault ?? null;
  }

  takeForDelivery(mode: WebhookFault): PlannedWebhook | null {
    const fault = this.#webhooks.find(({ timesLeft, webhook }) => timesLeft > 0 && webhook === mode);
    if (fault) fault.timesLeft -= 1;
    return fault ?? null;
  }

  pending(): object {
    return { calls: this.#calls.filter(isLeft), webhooks: this.#webhooks.filter(isLeft) };
  }
}

const isLeft = ({ timesLeft }: Planned) => timesLeft > 0;

/** A path matches whole, or up to a `*` at its end. */
function matches(match: PlannedCall['match'], method: string, path: string): boolean {
  if (match.method && match.method.toUpperCase() !== method) return false;
  if (!match.path) return true;
  return match.path.endsWith('*') ? path.startsWith(match.path.slice(0, -1)) : path === match.path;
}
