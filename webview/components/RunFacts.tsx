import type { ReportView } from '../../src/contracts/reportView';
import { RocCurve } from '../charts/RocCurve';
import { SequentialBoundary } from '../charts/SequentialBoundary';
import { Sparkline } from '../charts/Sparkline';
import { Timeline } from '../charts/Timeline';
import { Term } from './Glossary';
import { Section } from './Section';

/** What holds for the whole run: what it could have seen, what chance alone does, and how the answers came out. */
export function RunFacts({ view }: { view: ReportView }) {
  return (
    <Section id="certainty" title="How much could this check see?">
      <ul class="plain-list">
        <li>
          <Term id="mde">Smallest change it would catch</Term>: {view.mdeSentence}
        </li>
        {view.noiseFloor && (
          <li>
            <Term id="noise-floor">Noise floor</Term>: {view.noiseFloor.sentence}
          </li>
        )}
        {view.sequential && (
          <li>
            <Term id="looks">Looks</Term>: {view.sequential.sentence}
          </li>
        )}
        <li>
          Answers:{' '}
          {view.outcomes.map(({ label, count }) => `${count.toLocaleString('en')} ${label}`).join(', ')}.
        </li>
      </ul>
      <div class="charts">
        {view.sequential && <SequentialBoundary sequential={view.sequential} />}
        {view.timeline && <Timeline timeline={view.timeline} />}
        {view.roc && <RocCurve roc={view.roc} />}
        {view.history.length > 1 && <Sparkline history={view.history} runId={view.runId} />}
      </div>
    </Section>
  );
}
