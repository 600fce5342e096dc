/** Loaded before the product where it is started with the real card company's address: no name but this machine's is found. */
import dns from 'node:dns';

const { lookup } = dns;

dns.lookup = (host, options, callback) => {
  if (host === 'localhost' || host === '127.0.0.1') return lookup(host, options, callback);
  const answer = typeof options === 'function' ? options : callback;
  const error = Object.assign(new Error(`tests do not leave this machine: ${host}`), { code: 'ENOTFOUND' });
  process.nextTick(() => answer(error));
};
