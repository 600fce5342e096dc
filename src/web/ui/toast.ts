/**
 * Short messages at the top right. The library is fetched after the first paint: most visits show no toast,
 * and one that comes early waits for it.
 */
const library = () => import('react-toastify/unstyled');

export const toast = {
  /** Said politely; a repeated success is one message. */
  success(msg: string): void {
    void library().then(({ toast: show }) =>
      show.success(msg, { role: 'status', toastId: `said-${msg.replace(/\W+/g, '-')}` }),
    );
  },
  /** Said at once; every error stands, also when it is the same sentence twice. */
  error(msg: string): void {
    void library().then(({ toast: show }) => show.error(msg, { role: 'alert' }));
  },
};
