import { asCall } from './spans.ts';

interface HttpCall {
  method: string;
  host: string;
  path: string;
}

/** A call of an API as a span, named without the ids in its path. */
export function asHttpCall<T>({ method, host, path }: HttpCall, call: () => Promise<T>): Promise<T> {
  return asCall(`${method} ${patternOf(path)}`, { 'server.address': host }, call);
}

/** `cs_test_a1b2c3d4`, unlike `payment_intents`. */
const ID = /^[a-z]{2,5}_\w{8,}$/;

function patternOf(path: string): string {
  const [address = ''] = path.split('?');
  return address
    .split('/')
    .map((part) => (ID.test(part) ? ':id' : part))
    .join('/');
}
