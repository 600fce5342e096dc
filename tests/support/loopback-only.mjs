/** Loaded before a server that is started with Stripe's real URL: resolves no name except this machine's. */
import dns from 'node:dns';

const { lookup } = dns;

dns.lookup = (host, options, callback) => {
  if (host === 'localhost' || host === '127.0.0.1') return lookup(host, options, callback);
  const answer = typeof options === 'function' ? options : callback;
  const error = Object.assign(new Error(`tests do not leave this machine: ${host}`), { code: 'ENOTFOUND' });
  process.nextTick(() => answer(error));
};
