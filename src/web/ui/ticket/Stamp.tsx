import { useId } from 'react';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Stamp.module.css';

/** Decorative ink stamp that repeats the adjacent text. */
export function Stamp({
  text = 'ADMITTED',
  tone = 'green',
  size = 148,
  className,
}: {
  text?: string;
  tone?: 'green' | 'red' | 'blue';
  size?: number;
  className?: string | undefined;
}) {
  const id = useId();
  return (
    <svg
      className={classNames(styles.stamp, styles[tone], className)}
      width={size}
      height={size}
      viewBox="0 0 200 200"
      aria-hidden="true"
    >
      <defs>
        <filter id={`${id}ink`}>
          <feTurbulence type="fractalNoise" baseFrequency=".9" numOctaves="2" seed="4" />
          <feColorMatrix values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0 0 0 -2.2 1.75" />
          <feComposite in="SourceGraphic" operator="in" />
        </filter>
        <path id={`${id}ring`} d="M100 100m-70 0a70 70 0 1 1 140 0a70 70 0 1 1 -140 0" />
        <mask id={`${id}word`}>
          <rect width="200" height="200" fill="#fff" />
          <text
            className={styles.word}
            x="100"
            y="109"
            textAnchor="middle"
            textLength={text.length > 7 ? 164 : undefined}
          >
            {text}
          </text>
        </mask>
        <mask id={`${id}band`}>
          <rect width="200" height="200" fill="#fff" />
          <rect y="72" width="200" height="56" />
        </mask>
      </defs>
      <g filter={`url(#${id}ink)`} fill="none" stroke="currentColor">
        <g mask={`url(#${id}band)`}>
          <circle cx="100" cy="100" r="92" strokeWidth="6" />
          <circle cx="100" cy="100" r="58" strokeWidth="2.5" />
          <text className={styles.ring} fill="currentColor" stroke="none">
            <textPath href={`#${id}ring`} startOffset="1%" textLength="428">
              HANDSTAMP · HANDSTAMP ·
            </textPath>
          </text>
        </g>
        <rect x="4" y="78" width="192" height="44" rx="6" fill="currentColor" stroke="none" mask={`url(#${id}word)`} />
      </g>
    </svg>
  );
}
