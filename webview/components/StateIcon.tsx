import type { HeadlineState } from '../../src/contracts/reportView';

const outlines: Record<HeadlineState, string> = {
  steady: 'M12 2.75a9.25 9.25 0 1 0 0 18.5a9.25 9.25 0 0 0 0-18.5Z',
  wobbles: 'M12 3.2 22 20.6H2Z',
  undecided: 'M12 2.75a9.25 9.25 0 1 0 0 18.5a9.25 9.25 0 0 0 0-18.5Z',
  cancelled: 'M4 4h16v16H4Z',
  failed: 'M8.2 2.75h7.6l5.45 5.45v7.6l-5.45 5.45H8.2L2.75 15.8V8.2Z',
};
const signs: Record<HeadlineState, string> = {
  steady: 'M7.5 12.4l3.1 3.1 6-6.6',
  wobbles: 'M12 9.4v5.2M12 17.1v.6',
  undecided: 'M9.2 9.6a2.8 2.8 0 1 1 4.3 2.5c-1 .6-1.5 1.1-1.5 2.2M12 16.9v.5',
  cancelled: 'M9 9l6 6M15 9l-6 6',
  failed: 'M8.7 8.7l6.6 6.6M15.3 8.7l-6.6 6.6',
};

/** Shape and sign differ by state, so that colour is never the only carrier. The word beside it names it. */
export function StateIcon({ state }: { state: HeadlineState }) {
  return (
    <svg class={`state-icon state-${state}`} viewBox="0 0 24 24" width="40" height="40" aria-hidden="true">
      <path class="state-outline" d={outlines[state]} />
      <path class="state-sign" d={signs[state]} />
    </svg>
  );
}
