import { type LookName, resultLooks } from './result-looks.ts';

/** Each result has its own outline and sign, so that colour is never the only difference. */
export function ResultMark({
  look,
  isOnDark = false,
  className,
}: {
  look: LookName;
  isOnDark?: boolean;
  className?: string | undefined;
}) {
  const { outline, sign, tone, isHollow = false } = resultLooks[look];
  const isLight = isHollow || isOnDark;
  return (
    <svg className={className} viewBox="0 0 32 32" aria-hidden="true" data-mark={look}>
      <path
        d={outline}
        fill={isLight ? '#fff' : tone}
        stroke={isHollow ? tone : 'none'}
        strokeWidth="3"
        strokeDasharray={look === 'admitted-offline' ? '10 4.13' : undefined}
      />
      <path
        d={sign}
        fill="none"
        stroke={isLight ? tone : '#fff'}
        strokeWidth="3.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
