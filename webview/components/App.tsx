import { useEffect, useState } from 'preact/hooks';
import type { ReportView } from '../../src/contracts/reportView';
import { notice, restoring, screen } from '../state';
import { Against } from './Against';
import { CompareSheet } from './CompareSheet';
import { Comparisons } from './Comparisons';
import { EditSection } from './EditSection';
import { FlipsSheet } from './FlipsSheet';
import { Glossary } from './Glossary';
import { Message } from './Message';
import { Method } from './Method';
import { ProgressCard } from './ProgressCard';
import { PromptSection } from './PromptSection';
import { RunFacts } from './RunFacts';
import { SampleBrowser } from './SampleBrowser';
import { VerdictCard } from './VerdictCard';

export function App() {
  const now = screen.value;
  return (
    <main class="page">
      {now.kind === 'waiting' && (
        <Message state="undecided" title="Loading" text="The report is on its way." />
      )}
      {now.kind === 'empty' && (
        <Message
          state="undecided"
          title="No report yet"
          text="Select a prompt and run “Evenkeel: Check Prompt Robustness”."
        />
      )}
      {now.kind === 'problem' && (
        <Message state="failed" title="Failed" text={now.problem.message} hint={now.problem.hint} />
      )}
      {now.kind === 'progress' && <ProgressCard progress={now.progress} />}
      {now.kind === 'report' && <Report view={now.view} />}
      {now.kind === 'flips' && <FlipsSheet view={now.view} />}
      {now.kind === 'compare' && <CompareSheet view={now.view} />}
      <p class="status" role="status">
        {notice.value}
      </p>
    </main>
  );
}

/** The verdict is drawn first; what lies below it follows in the next frame. */
function Report({ view }: { view: ReportView }) {
  const [all, setAll] = useState(restoring.value);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(() => setAll(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <>
      <VerdictCard view={view} />
      {all && <Below view={view} />}
    </>
  );
}

function Below({ view }: { view: ReportView }) {
  return (
    <>
      {view.edit && <EditSection edit={view.edit} />}
      {view.comparisons.length > 0 && <Comparisons view={view} />}
      {view.edit === null && <PromptSection view={view} />}
      {view.against && <Against against={view.against} />}
      {view.outcomes.length > 0 && <RunFacts view={view} />}
      {view.outcomes.length > 0 && <SampleBrowser key={view.runId} view={view} />}
      <Method view={view} />
      <Glossary entries={view.glossary} />
    </>
  );
}
