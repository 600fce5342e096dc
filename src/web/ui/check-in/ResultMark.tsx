import { type ResultStyleName, resultStyles } from './result-styles.ts';

/** Each result has its own shape and symbol, so color is never the only difference. */
export function ResultMark({
  styleName,
  isOnDark = false,
  className,
}: {
  styleName: ResultStyleName;
  isOnDark?: boolean;
  className?: string | undefined;
}) {
  const { outline, sign, tone, isHollow = false } = resultStyles[styleName];
  const isLight = isHollow || isOnDark;
  return (
    <svg className={className} viewBox="0 0 32 32" aria-hidden="true" data-mark={styleName} data-tone={tone}>
      <path
        d={outline}
        fill={isLight ? '#fff' : 'currentColor'}
        stroke={isHollow ? 'currentColor' : 'none'}
        strokeWidth="3"
        strokeDasharray={styleName.endsWith('-offline') ? '10 4.13' : undefined}
      />
      <path
        d={sign}
        fill="none"
        stroke={isLight ? 'currentColor' : '#fff'}
        strokeWidth="3.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
