import styles from './Blurbs.module.css';

const blurbs = [
  {
    title: 'Sell',
    text: 'Your event gets its own page: ticket types, photos, a map and one checkout. No account needed to buy.',
  },
  {
    title: 'Scan',
    text: 'Any phone with a camera is a scanner. Share one code with your crew. Every ticket scans once; copies get stopped.',
  },
  {
    title: 'Get paid',
    text: 'Request your payout 24 hours after the lights come up. It goes straight to your bank.',
  },
];

export function Blurbs() {
  return (
    <section className={styles.band} aria-label="What Handstamp does">
      <ol className={styles.blurbs}>
        {blurbs.map(({ title, text }, index) => (
          <li key={title}>
            <span className={styles.number} aria-hidden="true">
              0{index + 1}
            </span>
            <h2 className={styles.title}>{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
